"""The list of groups, in the order the README names them."""
import canonical
import headers
import spec_builder
import spec_fetch
import tickets
import timed_body
import tool_call


def all_groups():
    return [
        tool_call.group(), spec_fetch.group(), timed_body.callback_group(), timed_body.decision_group(), tickets.group(),
        canonical.group(), headers.header_group(), headers.gate_group(), spec_builder.group(),
    ]
