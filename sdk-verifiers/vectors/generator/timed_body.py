"""Callbacks and decisions: WIRE 10.1 and 9.4, clock in milliseconds."""
from wire import MS, SECRET, TS, body_string, compact, label, put, raw, sha256

PARTIES = ['node', 'python', 'php', 'hub']
FLAGS = {
    'frozen': 'a vector published with the contract; it never changes',
    'sign': 'the signer is asked, not the verifier',
    'hostile': 'what an attacker or a broken intermediary would send',
    'window': 'the time window and its exact edges',
    'timestamp': 'the form of the timestamp',
    'signature': 'the form of the signature',
    'body': 'raw body bytes',
    'secret': 'the shared secret',
    'members': 'the members of a decision and their forms',
}
CALLBACK = b'{"kind":"delivery","job_id":"job-test-001","status":"done"}'
DECISION = {
    'approvalId': 123, 'jobId': '11111111-2222-4333-8444-555555555555', 'requestId': 'crm:1',
    'argsHash': '31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655', 'decisionId': 'oa:9001', 'decision': 'approved', 'approver': 'u2',
}
NAMES = [('approval_id', 'approvalId'), ('job_id', 'jobId'), ('request_id', 'requestId'), ('args_hash', 'argsHash'), ('decision_id', 'decisionId'),
         ('decision', 'decision'), ('approver', 'approver'), ('comment', 'comment'), ('decided_at', 'decidedAt')]


def decision_body(d):
    out = {'kind': 'tool_approval_decision', 'schema_version': 'bailing.approval-decision.v1'}
    out.update((wire, d[name]) for wire, name in NAMES if name in d)
    return compact(out)


class Cases:
    def __init__(self, prefix, body):
        self.prefix, self.body, self.list = prefix, body, []

    def verify(self, name, note, result='ok', flags=(), now=MS, ts=str(MS), secret=SECRET, key=None, body=None, signed_body=None, signed_ts=None, signature='right', window=None):
        body = self.body if body is None else body
        over = body_string(ts if signed_ts is None else signed_ts, body if signed_body is None else signed_body)
        right = label(secret if key is None else key, over)
        sig = right if signature == 'right' else signature(right, over) if callable(signature) else signature
        case_input = {'secret': secret, 'bodyHex': raw(body).hex()}
        put(case_input, 'timestamp', ts)
        put(case_input, 'signature', sig)
        if window is not None:
            case_input['window'] = window
        self.list.append({
            'id': '%s/%s' % (self.prefix, name), 'kind': 'verify', 'note': note, 'flags': list(flags), 'now': now, 'input': case_input,
            'intermediate': {'stringToSignHex': body_string(ts, body).hex()}, 'expected': {'result': result, 'valid': result == 'ok', 'reason': result},
        })

    def refuse(self, name, note, reason, flags, **kw):
        self.verify(name, note, reason, ('hostile',) + tuple(flags), **kw)


def common(c):
    old, bad = 'timestamp_out_of_window', 'bad_signature'
    c.verify('window-inside-old', 'one millisecond inside the window', flags=['window'], now=MS + 299999)
    c.verify('window-inside-ahead', 'one millisecond inside the window on the other side', flags=['window'], now=MS - 299999)
    c.refuse('window-edge-old', 'exactly 300000 milliseconds old is outside', old, ['window'], now=MS + 300000)
    c.refuse('window-edge-ahead', 'exactly 300000 milliseconds ahead is outside', old, ['window'], now=MS - 300000)
    c.refuse('window-first', 'too old and wrongly signed: the window is tested first', old, ['window'], now=MS + 300000, signature='sha256=' + '0' * 64)
    c.refuse('s-for-ms', 'seconds where milliseconds are due', old, ['window', 'timestamp'], ts=str(TS))
    for name, note, ts in [('missing', 'no timestamp', None), ('empty', 'an empty timestamp', ''), ('negative', 'a minus sign', '-' + str(MS)), ('exponent', 'an exponent', '1718e9'),
                           ('fraction', 'a fraction', '1718000000000.0'), ('20-digits', 'twenty digits', '17180000000000000000'), ('newline', 'a newline at the end', str(MS) + '\n'),
                           ('iso', 'an ISO date', '2024-06-10T06:13:20Z'), ('fullwidth', 'full-width digits', '\uff11\uff17\uff11\uff18' + '0' * 9)]:
        c.refuse('ts-' + name, note, old, ['timestamp'], ts=raw(ts) if ts is not None else None)
    for name, note, sig in [('missing', 'no signature', None), ('upper-hex', 'upper-case hex', lambda r, _: 'sha256=' + r[7:].upper()), ('no-label', 'no label', lambda r, _: r[7:]),
                            ('prefix', 'the first eight digits only', lambda r, _: r[:15]), ('newline', 'a newline at the end', lambda r, _: raw(r + '\n')),
                            ('last-digit', 'the last digit changed', lambda r, _: r[:-1] + ('0' if r[-1] != '0' else '1')), ('non-ascii', 'a non-ASCII byte inside', lambda r, _: raw(r[:-1]) + b'\xe9'),
                            ('zeros', 'all zeros', 'sha256=' + '0' * 64)]:
        c.refuse('sig-' + name, note, bad, ['signature'], signature=sig)
    c.refuse('body-changed', 'one byte of the body changed', bad, ['body'], body=c.body.replace(b'd', b'D', 1), signed_body=c.body)
    c.refuse('body-reserialised', 'the same JSON with spaces', bad, ['body'], body=c.body.replace(b':', b': '), signed_body=c.body)
    c.refuse('ts-swapped', 'a fresher timestamp than the signed one', bad, ['timestamp'], ts=str(MS + 10), signed_ts=str(MS))
    c.refuse('secret-empty', 'an empty secret verifies nothing', bad, ['secret'], secret='')
    c.refuse('secret-other', 'another secret', bad, ['secret'], key='another-secret')
    c.refuse('tool-call-scheme', 'signed by the scheme of tool calls', bad, ['signature'],
             signature=lambda _r, _s: label(SECRET, raw(str(MS)) + b'.POST./cb.' + sha256(c.body).encode() + b'..'))


def callback_group():
    c = Cases('callback', CALLBACK)
    signature = label(SECRET, body_string(str(MS), CALLBACK))
    assert signature == 'sha256=ca81d247422d926be3066f065a8c92a1beaffc6f37f01ef7d3e2c47b46f63210'
    c.verify('frozen', 'the contract\'s callback', flags=['frozen'])
    c.list.append({'id': 'callback/frozen-sign', 'kind': 'sign', 'note': 'the contract\'s callback, signed', 'flags': ['frozen', 'sign'],
                   'input': {'secret': SECRET, 'timestamp': str(MS), 'bodyHex': CALLBACK.hex()}, 'expected': {'result': signature, 'value': signature}})
    common(c)
    c.verify('body-not-utf8', 'bytes that are not UTF-8', flags=['body'], body=b'\xff\x00\xfe')
    c.verify('body-empty', 'an empty body', flags=['body'], body=b'')
    c.verify('body-dots', 'a body that begins with a dot', flags=['body'], body=b'.{}')
    c.verify('window-narrow', 'a window of one second, 999 milliseconds old', flags=['window'], now=MS + 999, window=1000)
    c.refuse('window-narrow-edge', 'a window of one second, exactly that old', 'timestamp_out_of_window', ['window'], now=MS + 1000, window=1000)
    c.refuse('dot-shift', 'digits moved from the body into the timestamp', 'bad_signature', ['timestamp', 'body'], ts=str(MS) + '9', body=b'{}', signed_ts=str(MS), signed_body=b'9.{}', now=MS * 10)
    return {'group': 'callback', 'clock': 'ms', 'parties': PARTIES, 'flags': {k: v for k, v in FLAGS.items() if k != 'members'}, 'cases': c.list}


def decision_group():
    body = decision_body(DECISION)
    c = Cases('decision', body.encode())
    assert label(SECRET, body_string(str(MS), body)) == 'sha256=8ad88840990b8d52396b07c14023b7b382f87b6f36d6ba11545057191951bcdf'
    c.verify('frozen', 'the contract\'s decision', flags=['frozen'])
    common(c)
    c.verify('short-form', 'the short form without an approval id is signed like any body', flags=['body'], body=b'{"decision":"approved","approver":"user_2002"}')

    def sign(name, note, decision, flags=(), valid=True):
        case = {'id': 'decision/sign-' + name, 'kind': 'sign', 'note': note, 'flags': ['sign'] + list(flags), 'input': {'secret': SECRET, 'timestamp': str(MS), 'decision': decision}}
        if valid:
            text = decision_body(decision)
            value = sha256(text.encode()) + ':' + label(SECRET, body_string(str(MS), text))
            case['intermediate'] = {'body': text, 'bodySha256': sha256(text.encode()), 'stringToSignHex': body_string(str(MS), text).hex()}
        else:
            value = 'invalid_decision'
        c.list.append({**case, 'expected': {'result': value, 'value': value}})

    sign('frozen', 'the contract\'s decision, built and signed', DECISION, ['frozen'])
    sign('denied', 'a denial with a comment and a date', {**DECISION, 'decision': 'denied', 'comment': 'zu teuer / 太贵 "!"', 'decidedAt': '2024-06-10T06:13:20Z'}, ['members'])
    sign('separators', 'U+2028 and DEL stay raw, controls are escaped', {**DECISION, 'comment': 'a\u2028b\x7fc\x01\n\t/'}, ['members'])
    sign('long-id', 'a decision id of 128 characters', {**DECISION, 'decisionId': 'a' * 128}, ['members'])
    odd = [('maybe', 'a verdict that is none', {'decision': 'maybe'}), ('upper', 'a verdict in capitals', {'decision': 'APPROVED'}), ('zero', 'an approval id of zero', {'approvalId': 0}),
           ('negative', 'a negative approval id', {'approvalId': -1}), ('fraction', 'an approval id with a fraction', {'approvalId': 1.5}), ('text-id', 'an approval id as text', {'approvalId': '123'}),
           ('id-space', 'a space in the decision id', {'decisionId': 'oa 9001'}), ('id-newline', 'a newline after the decision id', {'decisionId': 'oa:9001\n'}), ('id-empty', 'an empty decision id', {'decisionId': ''}),
           ('id-long', 'a decision id of 129 characters', {'decisionId': 'a' * 129}), ('hash-upper', 'an args hash in capitals', {'argsHash': DECISION['argsHash'].upper()}),
           ('hash-short', 'an args hash that is too short', {'argsHash': 'abc'}), ('no-approver', 'an empty approver', {'approver': ''}), ('no-job', 'an empty job id', {'jobId': ''})]
    for name, note, over in odd:
        sign('invalid-' + name, note, {**DECISION, **over}, ['hostile', 'members'], valid=False)
    return {'group': 'decision', 'clock': 'ms', 'parties': PARTIES, 'flags': FLAGS, 'cases': c.list}
