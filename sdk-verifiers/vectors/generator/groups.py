"""The list of groups, in the order the README names them."""
import canonical
import headers
import spec_builder
import spec_fetch
import tickets
import timed_body
import tool_call


def beyond_the_hub(case):
    """The hub signs calls and checks what comes back: own windows, raw bytes as text, building decisions and judging uids are the SDKs' alone."""
    given = case['input']
    if case['kind'] == 'sign' and ('decision' in given or case['expected']['result'] == 'invalid_uid' or case['id'] == 'ticket/sign-trimmed'):
        return True
    for name, value in given.items():
        if name.endswith('Hex') and name != 'bodyHex':
            try:
                bytes.fromhex(value).decode('utf-8')
            except UnicodeDecodeError:
                return True
    return 'window' in given


def narrowed(group):
    """Names the parties of a case where the hub of the file is not one of them."""
    if 'hub' in group['parties']:
        group['cases'] = [{**c, 'parties': ['node', 'python', 'php']} if beyond_the_hub(c) else c for c in group['cases']]
    return group


def all_groups():
    return [narrowed(group) for group in every()]


def every():
    return [
        tool_call.group(), spec_fetch.group(), timed_body.callback_group(), timed_body.decision_group(), tickets.group(),
        canonical.group(), headers.header_group(), headers.gate_group(), spec_builder.group(),
    ]
