"""Reading headers from a raw list, and the gate: SIGNING F and G; clock in seconds."""
from wire import SECRET, TS, call_string, label, raw, sha256

POST = dict(method='POST', target='/orders/refund', body=b'{"amount":300}', subject='179:1', job='job-1')
HEADER_FLAGS = {'hostile': 'what an attacker or a broken intermediary would send', 'case': 'letter case of names', 'repeated': 'a header that comes more than once', 'space': 'white space around values',
                'name': 'names that only look alike', 'bytes': 'values that are not ASCII', 'order': 'order of the headers', 'window': 'the window is tested first'}
GATE_FLAGS = {'hostile': 'what must not be let in', 'authorize': 'what the business answers', 'params': 'the parameters authorize is asked about', 'target': 'prefixes and known paths', 'signature': 'the check before', 'job': 'job ids', 'operator': 'the acting user'}


def pair(name, value):
    data = raw(value)
    if all(0x20 <= b <= 0x7E for b in data):
        return [name, data.decode('ascii')]
    return {'name': name, 'valueHex': data.hex()}


def signature(secret, c, ts):
    return label(secret, call_string(ts, c['method'], c['target'], c['body'], c['subject'], c['job']))


def standard(c, ts=str(TS), sig=None, secret=SECRET):
    out = [('Host', 'shop.example'), ('X-Bailing-Timestamp', ts), ('X-Bailing-Signature', sig if sig is not None else signature(secret, c, ts)), ('X-Bailing-Job-Id', c['job'])]
    if c['subject']:
        out.append(('X-Bailing-On-Behalf-Of', c['subject']))
    return out + [('X-Bailing-Client', 'crm'), ('X-Bailing-Tool-Scope', 'order.refund')]


def replace(headers, name, *values):
    out = []
    for n, v in headers:
        if n == name:
            out += [(n, value) for value in values]
        else:
            out.append((n, v))
    return out


def header_group():
    cases = []
    base = standard(POST)
    sig = dict(base)['X-Bailing-Signature']
    old, bad = 'timestamp_out_of_window', 'bad_signature'

    def add(name, note, headers, result='ok', flags=(), now=TS, call=POST):
        flags = list(flags) + ([] if result == 'ok' else ['hostile'])
        cases.append({'id': 'header-parsing/' + name, 'kind': 'verify', 'note': note, 'flags': flags, 'now': now,
                      'input': {'secret': SECRET, 'method': call['method'], 'target': call['target'], 'bodyHex': call['body'].hex(), 'headers': [pair(n, v) for n, v in headers]},
                      'expected': {'result': result, 'valid': result == 'ok', 'reason': result}})

    add('plain', 'headers as the hub sends them', base)
    add('lower', 'names in lower case', [(n.lower(), v) for n, v in base], flags=['case'])
    add('upper', 'names in upper case', [(n.upper(), v) for n, v in base], flags=['case'])
    add('odd-case', 'names in odd case', [(''.join(ch.upper() if i % 2 else ch.lower() for i, ch in enumerate(n)), v) for n, v in base], flags=['case'])
    add('reversed', 'another order', base[::-1], flags=['order'])
    add('foreign-around', 'other headers in between', [('X-Bailing', 'x'), ('X-Bailing-', 'y')] + base + [('X-Bailing-Timestamp-2', '1'), ('Signature', 'sha256=x')], flags=['order'])
    add('outer-space', 'spaces and tabs around the values', [(n, ' \t' + v + '\t ') for n, v in base], flags=['space'])
    add('subject-blank', 'a subject of spaces is an empty one', standard({**POST, 'subject': None}) + [('X-Bailing-On-Behalf-Of', '   ')], flags=['space'])
    add('subject-utf8', 'a subject in UTF-8 bytes', standard({**POST, 'subject': '租户:张三'}), flags=['bytes'], call={**POST, 'subject': '租户:张三'})
    add('subject-latin1', 'a subject byte that is not UTF-8', standard({**POST, 'subject': b'caf\xe9'}), flags=['bytes'], call={**POST, 'subject': b'caf\xe9'})
    add('unsigned-repeated', 'unsigned headers may repeat', base + [('X-Bailing-Client', 'other'), ('X-Bailing-Tool-Scope', 'other'), ('X-Bailing-Idempotency-Key', 'a'), ('X-Bailing-Idempotency-Key', 'b')], flags=['repeated'])
    add('other-repeated', 'a foreign header twice', base + [('Host', 'b'), ('Accept', 'x'), ('Accept', 'y')], flags=['repeated'])
    add('none', 'no headers at all', [], old)
    add('ts-twice-equal', 'the timestamp twice, equal', replace(base, 'X-Bailing-Timestamp', str(TS), str(TS)), old, ['repeated'])
    add('ts-twice-late', 'the timestamp twice, the first too old', replace(base, 'X-Bailing-Timestamp', '1', str(TS)), old, ['repeated'])
    add('ts-twice-case', 'the timestamp twice in two spellings', base + [('x-bailing-timestamp', str(TS))], old, ['repeated', 'case'])
    add('sig-twice-equal', 'the signature twice, equal', replace(base, 'X-Bailing-Signature', sig, sig), bad, ['repeated'])
    add('sig-twice-right-first', 'a right signature and a wrong one', replace(base, 'X-Bailing-Signature', sig, 'sha256=' + '0' * 64), bad, ['repeated'])
    add('sig-twice-right-last', 'a wrong signature and a right one', replace(base, 'X-Bailing-Signature', 'sha256=' + '0' * 64, sig), bad, ['repeated'])
    add('subject-twice-equal', 'the subject twice, equal', base + [('X-Bailing-On-Behalf-Of', '179:1')], bad, ['repeated'])
    add('subject-twice-other', 'a second subject', base + [('X-Bailing-On-Behalf-Of', '1:admin')], bad, ['repeated'])
    add('subject-twice-empty', 'a second, empty subject', base + [('X-Bailing-On-Behalf-Of', '')], bad, ['repeated'])
    add('subject-twice-case', 'a second subject in another spelling', base + [('x-bailing-on-behalf-of', '1:admin')], bad, ['repeated', 'case'])
    add('job-twice', 'the job twice', base + [('x-bailing-job-id', 'job-1')], bad, ['repeated'])
    add('repeated-late', 'a repeated signature and too old: the window first', replace(base, 'X-Bailing-Signature', sig, sig), old, ['repeated', 'window'], now=TS + 300)
    add('ts-underscore', 'the timestamp under a name with underscores', [('X_Bailing_Timestamp', v) if n == 'X-Bailing-Timestamp' else (n, v) for n, v in base], old, ['name'])
    add('subject-underscore', 'a forged subject under a name with underscores is ignored', base + [('X_Bailing_On_Behalf_Of', '1:admin')], flags=['name', 'hostile'])
    add('subject-only-underscore', 'the subject only under a name with underscores', [('X_Bailing_On_Behalf_Of', v) if n == 'X-Bailing-On-Behalf-Of' else (n, v) for n, v in base], bad, ['name'])
    add('name-space', 'a space after the name', [(n + ' ' if n == 'X-Bailing-Signature' else n, v) for n, v in base], bad, ['name'])
    add('name-prefix', 'a proxy\'s prefix before the name', [('X-Forwarded-' + n if n == 'X-Bailing-Signature' else n, v) for n, v in base], bad, ['name'])
    add('sig-missing', 'no signature', replace(base, 'X-Bailing-Signature'), bad)
    add('ts-missing', 'no timestamp', replace(base, 'X-Bailing-Timestamp'), old)
    add('subject-missing', 'the subject taken away', replace(base, 'X-Bailing-On-Behalf-Of'), bad)
    add('job-missing', 'the job taken away', replace(base, 'X-Bailing-Job-Id'), bad)
    add('ts-joined', 'two timestamps joined by a server', replace(base, 'X-Bailing-Timestamp', '%d, %d' % (TS, TS)), old, ['repeated'])
    add('sig-joined', 'two signatures joined by a server', replace(base, 'X-Bailing-Signature', sig + ', ' + sig), bad, ['repeated'])
    add('ts-nbsp', 'a non-breaking space before the timestamp', replace(base, 'X-Bailing-Timestamp', '\u00a0%d' % TS), old, ['space', 'bytes'])
    add('ts-latin1-nbsp', 'the single byte of a non-breaking space', replace(base, 'X-Bailing-Timestamp', b'\xa0%d' % TS), old, ['space', 'bytes'])
    add('ts-nel', 'U+0085 after the timestamp', replace(base, 'X-Bailing-Timestamp', '%d\u0085' % TS), old, ['space', 'bytes'])
    add('sig-line-feed', 'a line feed after the signature', replace(base, 'X-Bailing-Signature', sig + '\n'), bad, ['space', 'bytes'])
    add('sig-vertical-tab', 'a vertical tab before the signature', replace(base, 'X-Bailing-Signature', '\x0b' + sig), bad, ['space', 'bytes'])
    add('sig-ideographic-space', 'an ideographic space after the signature', replace(base, 'X-Bailing-Signature', sig + '\u3000'), bad, ['space', 'bytes'])
    add('subject-nul', 'a NUL after the subject', replace(base, 'X-Bailing-On-Behalf-Of', '179:1\x00'), bad, ['bytes'])
    add('inner-space', 'a space inside the signature', replace(base, 'X-Bailing-Signature', sig.replace('=', '= ')), bad, ['space'])
    add('bearer', 'a word before the signature', replace(base, 'X-Bailing-Signature', 'Bearer ' + sig), bad)
    return {'group': 'header-parsing', 'clock': 's', 'parties': ['node', 'python', 'php'], 'flags': HEADER_FLAGS, 'cases': cases}


def gate_group():
    cases = []

    def add(name, note, authorize, result, flags=(), headers=None, now=TS, sent=None, extra=None, **over):
        call = {**POST, **over}
        sent = {**call, **(sent or {})}
        flags = list(flags) + ([] if result == '200' else ['hostile'])
        case_input = {'secret': SECRET, 'method': sent['method'], 'target': sent['target'], 'bodyHex': sent['body'].hex(), 'headers': [pair(n, v) for n, v in (headers or standard(call))],
                      'tool': 'refund_order', 'authorize': authorize}
        case_input.update(extra or {})
        cases.append({'id': 'gate/' + name, 'kind': 'gate', 'note': note, 'flags': flags, 'now': now, 'input': case_input, 'intermediate': {'bodySha256': sha256(sent['body'])}, 'expected': {'result': result, 'code': int(result[:3])}})

    def only(params, operator='179:1', tool='refund_order'):
        return {'operator': operator, 'tool': tool, 'params': params}

    add('true', 'the business says yes', 'true', '200', ['authorize'])
    add('false', 'the business says no', 'false', '403:not_authorized', ['authorize'])
    add('throws', 'the business fails', 'throws', '403:authorize_failed', ['authorize'])
    add('missing', 'nobody was asked', 'missing', '403:authorize_missing', ['authorize'])
    for how, note in [('null', 'an answer of null'), ('one', 'the number 1 is not true'), ('text', 'the text "true" is not true'), ('object', 'an object is not true')]:
        add(how, note, how, '403:not_authorized', ['authorize'])
    late, forged = '401:timestamp_out_of_window', '401:bad_signature'
    add('forged', 'a bad signature, though the business would say yes', 'true', forged, ['signature'], headers=standard(POST, sig='sha256=' + '0' * 64))
    add('late', 'a late call, though the business would say yes', 'true', late, ['signature'], now=TS + 300)
    add('early-edge', 'exactly 300 seconds ahead', 'true', late, ['signature'], now=TS - 300)
    add('forged-missing', 'a bad signature and no authorize: 401 comes first', 'missing', forged, ['signature', 'authorize'], headers=standard(POST, sig='sha256=' + '0' * 64))
    add('forged-params', 'a bad signature and unreadable parameters: 401 comes first', 'true', forged, ['signature', 'params'], headers=standard(POST, sig='sha256=' + '0' * 64), body=b'{')
    add('missing-params', 'no authorize and unreadable parameters: the missing authorize is said', 'missing', '403:authorize_missing', ['params', 'authorize'], body=b'{')
    add('body-swapped', 'another amount than the signed one', 'true', forged, ['signature'], sent={'body': b'{"amount":9}'})
    add('subject-repeated', 'two subjects', 'true', forged, ['signature'], headers=standard(POST) + [('X-Bailing-On-Behalf-Of', '1:admin')])
    add('no-headers', 'no headers at all', 'true', late, ['signature'], headers=[('Host', 'x')])
    add('operator', 'authorize is asked about the acting user', only({'amount': 300}), '200', ['operator'])
    add('operator-other', 'and about nobody else', only({'amount': 300}, operator='179:2'), '403:not_authorized', ['operator'])
    add('operator-empty', 'no acting user: authorize is asked about the empty text', only({'amount': 300}, operator=''), '200', ['operator'], subject=None)
    add('operator-utf8', 'an acting user beyond ASCII arrives as text', only({'amount': 300}, operator='租户:张三'), '200', ['operator'], subject='租户:张三')
    add('operator-not-utf8', 'a subject that is not UTF-8', 'true', forged, ['operator'], subject=b'caf\xe9')
    add('operator-dots', 'dots in the acting user', only({'amount': 300}, operator='t.1:u.2'), '200', ['operator'], subject='t.1:u.2')
    add('job-dot', 'a job id with a dot, right signed', 'true', forged, ['job'], job='job.1')
    add('job-shift', 'a piece of the subject moved into the job', 'true', forged, ['job'], headers=replace(replace(standard({**POST, 'subject': 'a.b'}), 'X-Bailing-On-Behalf-Of', 'a'), 'X-Bailing-Job-Id', 'b.job-1'), subject='a.b')
    add('job-empty', 'no job', 'true', '200', ['job'], job='')
    get = dict(method='GET', body=b'')
    params = [
        ('query', {'q': 'a b', 'n': '10'}, dict(target='/orders?q=a+b&n=10', **get), {}), ('query-encoded', {'待': '付 /'}, dict(target='/orders?%E5%BE%85=%E4%BB%98%20%2F', **get), {}), ('query-empty', {}, dict(target='/orders?', **get), {}),
        ('query-no-value', {'flag': '', 'e': ''}, dict(target='/orders?flag&e=', **get), {}), ('query-ampersands', {'a': '1'}, dict(target='/orders?&&a=1&', **get), {}), ('query-equals', {'a': '1=2'}, dict(target='/orders?a=1=2', **get), {}),
        ('query-semicolon', {'a': '1;b=2'}, dict(target='/orders?a=1;b=2', **get), {}), ('query-brackets', {'a[]': '1', 'b[c]': '2'}, dict(target='/orders?a[]=1&b[c]=2', **get), {}), ('query-dots', {'a.b': '1', 'c d': '2'}, dict(target='/orders?a.b=1&c+d=2', **get), {}),
        ('query-empty-name', {'': 'x'}, dict(target='/orders?=x', **get), {}), ('query-proto', {'__proto__': '1'}, dict(target='/orders?__proto__=1', **get), {}), ('query-nul', {'a': '\x00'}, dict(target='/orders?a=%00', **get), {}),
        ('get-body-ignored', {'a': '1'}, dict(target='/orders?a=1', method='GET', body=b'{"b":2}'), {}), ('body', {'amount': 300, 'note': None, 'deep': {'a': [1.5, 'x', True]}}, dict(body=b'{"amount":3e2,"note":null,"deep":{"a":[1.50,"x",true]}}'), {}),
        ('body-and-query', {'amount': 300, 'dry': '1'}, dict(target='/orders/refund?dry=1'), {}), ('body-empty', {}, dict(body=b''), {}), ('body-empty-object', {'o': {}, 'l': []}, dict(body=b'{"o":{},"l":[]}'), {}), ('body-proto', {'__proto__': {'admin': True}, 'a': 1}, dict(body=b'{"__proto__":{"admin":true},"a":1}'), {}),
        ('body-repeated', {'a': 2}, dict(body=b'{"a":1,"a":2}'), {}), ('path-params', {'order_no': 'A 1/2', 'amount': 300}, dict(target='/orders/A%201%2F2/refund'), {'pathParams': {'order_no': 'A 1/2'}}), ('lower-method', {'a': '1'}, dict(method='get', target='/orders?a=1', body=b'{"a":2}'), {}),
        ('query-list-like', {'0': 'a', '1': 'b'}, dict(target='/orders?0=a&1=b', **get), {}), ('query-numeric-names', {'10': 'a', '01': 'b', '-5': 'c'}, dict(target='/orders?10=a&01=b&-5=c', **get), {}), ('body-list-like', {'0': 'x', '1': {'0': 1, '1': 2}, '2': [1, 2]}, dict(body=b'{"0":"x","1":{"0":1,"1":2},"2":[1,2]}'), {}),
        ('body-unicode', {'é😀': '待\u2028', '': ''}, dict(body='{"é😀":"待\u2028","":""}'.encode()), {}), ('body-numbers', {'a': 1, 'b': 1.5, 'c': 1e21, 'd': 0, 'e': 9007199254740992}, dict(body=b'{"a":1.0,"b":15e-1,"c":1e21,"d":-0,"e":9007199254740993}'), {}), ('path-and-query-numeric', {'7': 'p', '8': 'q'}, dict(target='/o/p?8=q', **get), {'pathParams': {'7': 'p'}}),
        ('delete', {'id': 7}, dict(method='DELETE', body=b'{"id":7}'), {}), ('head', {'a': '1'}, dict(method='HEAD', target='/orders?a=1', body=b''), {}), ('query-invalid-body-number', {'n': 12345678901234567000}, dict(body=b'{"n":12345678901234567890}'), {}),
    ]
    for name, expected, over, extra in params:
        add('params-' + name, 'authorize sees the parameters: ' + name.replace('-', ' '), only(expected), '200', ['params'], extra=extra, **over)
    bad = [
        ('array', 'an array as body', dict(body=b'[1]')), ('text', 'a text as body', dict(body=b'"a"')), ('not-json', 'a form as body', dict(body=b'amount=300')), ('not-utf8', 'a body that is not UTF-8', dict(body=b'{"a":"\xff"}')), ('bom', 'a byte order mark', dict(body=b'\xef\xbb\xbf{}')),
        ('nan', 'NaN in the body', dict(body=b'{"a":NaN}')), ('surrogate', 'half a surrogate pair', dict(body=b'{"a":"\\ud800"}')), ('deep', 'a hundred and one levels', dict(body=b'{"a":' + b'[' * 100 + b']' * 100 + b'}')), ('very-deep', 'fifty thousand levels', dict(body=b'{"a":' + b'[' * 50000 + b']' * 50000 + b'}')),
        ('trailing', 'something after the body', dict(body=b'{}x')), ('blank', 'a body of white space', dict(body=b' ')), ('query-twice', 'one name twice in the query', dict(target='/orders?a=1&a=2', **get)), ('query-twice-encoded', 'one name twice, once encoded', dict(target='/orders?a=1&%61=2', **get)),
        ('query-and-body', 'one name in query and body', dict(target='/orders/refund?amount=1')), ('percent', 'a percent sign that encodes nothing', dict(target='/orders?a=100%', **get)), ('percent-one', 'a percent sign with one digit', dict(target='/orders?a=%4', **get)), ('percent-letters', 'a percent sign with other letters', dict(target='/orders?a=%zz', **get)),
        ('query-not-utf8', 'a query that is not UTF-8', dict(target='/orders?a=%FF', **get)), ('query-overlong', 'an overlong encoding', dict(target='/orders?a=%C0%AF', **get)), ('query-surrogate', 'an encoded surrogate', dict(target='/orders?a=%ED%A0%80', **get)),
    ]
    for name, note, over in bad:
        add('bad-params-' + name, note, 'true', '403:bad_parameters', ['params'], **over)
    add('bad-params-path-and-query', 'one name in path and query', 'true', '403:bad_parameters', ['params'], extra={'pathParams': {'id': '1'}}, target='/orders/1?id=2', **get)
    add('bad-params-path-and-body', 'one name in path and body', 'true', '403:bad_parameters', ['params'], extra={'pathParams': {'amount': '1'}}, target='/orders/1')
    add('base-path', 'a prefix that the hub sends and does not sign', only({'a': '1'}), '200', ['target'], extra={'basePath': '/api'}, sent={'target': '/api/orders?a=1'}, target='/orders?a=1', **get)
    add('base-path-slash', 'the prefix with a slash at its end', 'true', '200', ['target'], extra={'basePath': '/api/'}, sent={'target': '/api/orders'}, target='/orders', **get)
    add('base-path-absent', 'the prefix is not there, though the rest is signed', 'true', forged, ['target'], extra={'basePath': '/api'}, target='/orders', **get)
    add('base-path-longer', 'a longer first segment is not the prefix', 'true', forged, ['target'], extra={'basePath': '/api'}, sent={'target': '/apis/orders'}, target='s/orders', **get)
    add('base-path-encoded', 'the prefix encoded is another prefix', 'true', forged, ['target'], extra={'basePath': '/api'}, sent={'target': '/%61pi/orders'}, target='/orders', **get)
    add('base-path-late', 'no prefix and too late: the window comes first', 'true', late, ['target'], extra={'basePath': '/api'}, now=TS + 300, target='/orders', **get)
    add('known-path', 'the path of the document for a rewritten one, the raw query kept', only({'a': 'x y'}), '200', ['target'], extra={'knownPath': '/orders'}, sent={'target': '/index.php/orders?a=x+y'}, target='/orders?a=x+y', **get)
    add('known-path-other', 'signed for another path', 'true', forged, ['target'], extra={'knownPath': '/orders'}, target='/goods?a=1', **get)
    add('known-path-query', 'another query than the signed one', 'true', forged, ['target'], extra={'knownPath': '/orders'}, sent={'target': '/x?a=2'}, target='/orders?a=1', **get)
    return {'group': 'gate', 'clock': 's', 'parties': ['node', 'python', 'php'], 'flags': GATE_FLAGS, 'cases': cases}
