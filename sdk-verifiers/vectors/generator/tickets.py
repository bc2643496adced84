"""Chat tickets: WIRE 1.4. `now` is in milliseconds, `exp` in seconds."""
from wire import b64url, compact, mac, put, raw, ticket

TOKEN, EXP = 'secret', 2000000000
NOW = (EXP - 3600) * 1000
FLAGS = {
    'frozen': 'a vector published with the contract; it never changes', 'sign': 'the signer is asked', 'hostile': 'what an attacker or a broken issuer would send',
    'format': 'the form of the ticket text', 'mac': 'the mac', 'payload': 'the payload behind a right mac', 'uid': 'forms of the uid', 'expiry': 'the end of life and its exact edge',
}


def group():
    cases = []

    def sign(name, note, uid, exp=EXP, flags=(), valid=True, token=TOKEN, clean=None):
        value = ticket(token, compact({'uid': uid if clean is None else clean, 'exp': exp}).encode()) if valid else 'invalid_uid'
        case = {'id': 'ticket/sign-' + name, 'kind': 'sign', 'note': note, 'flags': ['sign'] + list(flags), 'input': {'token': token, 'uid': uid, 'exp': exp}}
        if valid:
            case['intermediate'] = {'payload': compact({'uid': uid if clean is None else clean, 'exp': exp})}
        cases.append({**case, 'expected': {'result': value, 'value': value}})
        return value

    def check(name, note, text, result, flags=(), now=NOW, token=TOKEN):
        reason = 'ok' if result.startswith('ok:') else result
        case_input = {'token': token}
        put(case_input, 'ticket', text)
        flags = list(flags) + ([] if reason == 'ok' else ['hostile'])
        cases.append({'id': 'ticket/' + name, 'kind': 'check', 'note': note, 'flags': flags, 'now': now, 'input': case_input,
                      'expected': {'result': result, 'valid': reason == 'ok', 'reason': reason}})

    frozen = sign('frozen', 'the contract\'s ticket', 'tenant:user', flags=['frozen'])
    assert frozen == 'v1.eyJ1aWQiOiJ0ZW5hbnQ6dXNlciIsImV4cCI6MjAwMDAwMDAwMH0.ecfc7a95bda45da95751091c1f89e316170b5edbe555b4613e4049b9e9b848b1'
    sign('chinese', 'a uid beyond ASCII is not escaped', '租户:张三')
    sign('slash-quote', 'a slash stays, a quote and a backslash are escaped', 'a/b"c\\d')
    sign('trimmed', 'white space around the uid goes, an ideographic space too', ' \t\u3000u1\ufeff ', clean='u1')
    sign('inner-space', 'white space inside the uid stays', 'a b')
    sign('separator', 'U+2028 inside the uid stays raw', 'a\u2028b')
    sign('nel', 'U+0085 is not white space here', '\u0085u', flags=['uid'])
    sign('64-bytes', 'sixty-four bytes', 'u' * 64)
    sign('65-bytes', 'sixty-five bytes', 'u' * 65, flags=['hostile', 'uid'], valid=False)
    sign('22-chinese', 'twenty-two Chinese characters are sixty-six bytes', '张' * 22, flags=['hostile', 'uid'], valid=False)
    sign('blank', 'nothing but white space', ' \u3000\n', flags=['hostile', 'uid'], valid=False)
    sign('empty', 'an empty uid', '', flags=['hostile', 'uid'], valid=False)

    check('frozen', 'the contract\'s ticket', frozen, 'ok:tenant:user', ['frozen'])
    check('expiry-edge', 'the very millisecond of its end', frozen, 'ok:tenant:user', ['expiry'], now=EXP * 1000)
    check('expiry-past', 'one millisecond later', frozen, 'ticket_expired', ['expiry'], now=EXP * 1000 + 1)

    def made(payload, token=TOKEN):
        return ticket(token, payload if isinstance(payload, bytes) else payload.encode())

    check('expiry-fraction', 'an end with a fraction of a second', made('{"uid":"u","exp":1000000000.5}'), 'ok:u', ['expiry'], now=1000000000500)
    check('expiry-fraction-past', 'the same, one millisecond later', made('{"uid":"u","exp":1000000000.5}'), 'ticket_expired', ['expiry'], now=1000000000501)
    check('expiry-negative', 'an end before the epoch', made('{"uid":"u","exp":-1}'), 'ticket_expired', ['expiry'])
    check('expiry-zero', 'an end at the epoch', made('{"uid":"u","exp":0}'), 'ticket_expired', ['expiry'])
    check('expiry-exponent', 'a number with an exponent is a number', made('{"uid":"u","exp":2e9}'), 'ok:u', ['expiry'])
    payload, good_mac = frozen.split('.')[1:]
    flip = good_mac[:-1] + ('0' if good_mac[-1] != '0' else '1')
    forms = [
        ('missing', 'no ticket', None), ('empty', 'an empty ticket', ''), ('two-parts', 'no mac', 'v1.' + payload), ('four-parts', 'one part too many', frozen + '.x'), ('v2', 'another version', 'v2' + frozen[2:]),
        ('upper-v', 'a capital V', 'V' + frozen[1:]), ('upper-mac', 'the mac in capitals', 'v1.%s.%s' % (payload, good_mac.upper())), ('short-mac', 'a mac that is too short', frozen[:-1]),
        ('prefix-mac', 'the first eight digits of the mac', 'v1.%s.%s' % (payload, good_mac[:8])), ('long-mac', 'a mac that is too long', frozen + '0'), ('newline', 'a newline at the end', raw(frozen + '\n')),
        ('leading-space', 'a space before it', ' ' + frozen), ('trailing-space', 'a space after it', frozen + ' '), ('padding', 'base64 padding', 'v1.%s=.%s' % (payload, mac(TOKEN, (payload + '=').encode()))),
        ('plus-slash', 'the other base64 alphabet', 'v1.ab+/.%s' % mac(TOKEN, b'ab+/')), ('empty-payload', 'an empty payload', 'v1..' + mac(TOKEN, b'')), ('non-ascii', 'a byte beyond ASCII', raw('v1.') + b'\xe9' + raw(frozen[4:])),
        ('nul', 'a NUL at the end', raw(frozen + '\x00')), ('json', 'the claims without any signature', '{"uid":"u","exp":2000000000}'), ('jwt', 'an unsigned token of another kind', 'eyJhbGciOiJub25lIn0.eyJ1aWQiOiJ1In0.'),
    ]
    for name, note, text in forms:
        check('format-' + name, note, text, 'bad_ticket', ['format'])
    check('mac-flip', 'the last digit of the mac changed', 'v1.%s.%s' % (payload, flip), 'bad_ticket', ['mac'])
    check('mac-zeros', 'a mac of zeros', 'v1.%s.%s' % (payload, '0' * 64), 'bad_ticket', ['mac'])
    check('mac-other-token', 'made with another token', made('{"uid":"u","exp":2000000000}', 'other'), 'bad_ticket', ['mac'])
    check('mac-over-json', 'a mac over the JSON and not over its base64', 'v1.%s.%s' % (payload, mac(TOKEN, compact({'uid': 'tenant:user', 'exp': EXP}).encode())), 'bad_ticket', ['mac'])
    check('mac-over-all', 'a mac over the version too', 'v1.%s.%s' % (payload, mac(TOKEN, ('v1.' + payload).encode())), 'bad_ticket', ['mac'])
    check('mac-payload-swapped', 'another payload under the mac', 'v1.%s.%s' % (b64url(b'{"uid":"admin","exp":2000000000}'), good_mac), 'bad_ticket', ['mac'])
    check('mac-empty-token', 'an empty token checks nothing', made('{"uid":"u","exp":2000000000}', ''), 'bad_ticket', ['mac'], token='')
    check('mac-flip-expired', 'expired and forged: forged is what is said', 'v1.%s.%s' % (payload, flip), 'bad_ticket', ['mac', 'expiry'], now=EXP * 1000 + 1)

    payloads = [
        ('length-4n1', 'a base64 length that cannot be', 'AAAAA'), ('not-json', 'not JSON', b'uid=u'), ('not-utf8', 'bytes that are not UTF-8', b'{"uid":"\xff","exp":2000000000}'), ('bom', 'a byte order mark', b'\xef\xbb\xbf{"uid":"u","exp":2000000000}'),
        ('array', 'an array', b'["u",2000000000]'), ('string', 'a string', b'"u"'), ('null', 'null', b'null'), ('empty-object', 'no members', b'{}'), ('trailing', 'something after the object', b'{"uid":"u","exp":2000000000}x'),
        ('single-quotes', 'single quotes', b"{'uid':'u','exp':2000000000}"), ('comma', 'a comma too many', b'{"uid":"u","exp":2000000000,}'), ('nan', 'NaN', b'{"uid":"u","exp":NaN}'), ('infinity', 'Infinity', b'{"uid":"u","exp":Infinity}'),
        ('no-exp', 'no exp', b'{"uid":"u"}'), ('exp-null', 'exp null', b'{"uid":"u","exp":null}'), ('exp-text', 'exp as text', b'{"uid":"u","exp":"2000000000"}'), ('exp-true', 'exp true', b'{"uid":"u","exp":true}'),
        ('exp-huge', 'an exp beyond any double', b'{"uid":"u","exp":1e999}'), ('exp-array', 'exp in an array', b'{"uid":"u","exp":[2000000000]}'), ('leading-zero', 'a leading zero', b'{"uid":"u","exp":02000000000}'),
        ('no-uid', 'no uid', b'{"exp":2000000000}'), ('uid-empty', 'an empty uid', b'{"uid":"","exp":2000000000}'), ('uid-blank', 'a blank uid', '{"uid":" \u3000","exp":2000000000}'.encode()), ('uid-null', 'uid null', b'{"uid":null,"exp":2000000000}'),
        ('uid-true', 'uid true', b'{"uid":true,"exp":2000000000}'), ('uid-object', 'uid an object', b'{"uid":{},"exp":2000000000}'), ('uid-array', 'uid in an array', b'{"uid":["u"],"exp":2000000000}'), ('uid-fraction', 'uid with a fraction', b'{"uid":1.5,"exp":2000000000}'),
        ('uid-beyond', 'a uid number beyond 2^53', b'{"uid":9007199254740993,"exp":2000000000}'), ('uid-surrogate', 'half a surrogate pair', b'{"uid":"\\ud800","exp":2000000000}'), ('uid-low-surrogate', 'the other half', b'{"uid":"a\\udc00b","exp":2000000000}'),
        ('surrogate-name', 'half a pair in another name', b'{"uid":"u","exp":2000000000,"\\ud800":1}'), ('surrogate-value', 'half a pair in another value', b'{"uid":"u","exp":2000000000,"x":["\\udc00"]}'),
        ('surrogate-before', 'half a pair in a value before the uid', b'{"x":"\\ud800","uid":"u","exp":2000000000}'),
        ('case', 'members in capitals', b'{"UID":"u","EXP":2000000000}'), ('deep', 'nesting of a hundred thousand levels', b'{"uid":"u","exp":2000000000,"x":' + b'[' * 100000 + b']' * 100000 + b'}'),
        ('deep-open', 'nesting that never closes', b'[' * 50000), ('too-deep', 'one level too many', b'{"uid":"u","exp":2000000000,"x":' + b'[' * 100 + b']' * 100 + b'}'), ('nul', 'a NUL after the object', b'{"uid":"u","exp":2000000000}\x00'),
        ('control', 'a raw control in a string', b'{"uid":"u\x01","exp":2000000000}'), ('overlong', 'an overlong encoding of a slash', b'{"uid":"\xc0\xaf","exp":2000000000}'), ('cesu', 'an encoded surrogate', b'{"uid":"\xed\xa0\x80","exp":2000000000}'),
    ]
    for name, note, body in payloads:
        check('payload-' + name, note, ticket(TOKEN, body), 'bad_ticket', ['payload'])
    good = [
        ('spaces', 'white space in the JSON', b' { "exp" : 2000000000 , "uid" : "u" } ', 'u'), ('extra', 'members beyond the two', b'{"uid":"u","exp":2000000000,"x":1}', 'u'), ('last-wins', 'of two uids the last counts', b'{"uid":"a","exp":2000000000,"uid":"b"}', 'b'),
        ('number', 'a whole number as uid', b'{"uid":42,"exp":2000000000}', '42'), ('number-float', 'a whole number written with a fraction', b'{"uid":42.0,"exp":2000000000}', '42'), ('number-exponent', 'a whole number written with an exponent', b'{"uid":1e2,"exp":2000000000}', '100'),
        ('number-negative', 'a negative whole number', b'{"uid":-7,"exp":2000000000}', '-7'), ('number-zero', 'zero is a uid', b'{"uid":0,"exp":2000000000}', '0'), ('number-minus-zero', 'minus zero is zero', b'{"uid":-0,"exp":2000000000}', '0'), ('number-max', 'the largest whole number', b'{"uid":9007199254740991,"exp":2000000000}', '9007199254740991'),
        ('escaped', 'escapes in the uid', b'{"uid":"\\u5f20\\u4e09\\n\\ud83d\\ude00x","exp":2000000000}', '张三\n😀x'), ('trim', 'white space around the uid', '{"uid":"\\u00a0\\ufeff u1\\n","exp":2000000000}'.encode(), 'u1'), ('nel', 'U+0085 is kept', b'{"uid":"\\u0085u","exp":2000000000}', '\u0085u'),
        ('zero-width', 'U+200B is kept', b'{"uid":"\\u200bu","exp":2000000000}', '\u200bu'), ('cut', 'a uid of seventy characters is cut to sixty-four', b'{"uid":"' + b'a' * 70 + b'","exp":2000000000}', 'a' * 64),
        ('cut-pair', 'the cut does not split a surrogate pair', ('{"uid":"' + 'a' * 63 + '😀","exp":2000000000}').encode(), 'a' * 63), ('proto', 'a member called __proto__ means nothing', b'{"uid":"u","exp":2000000000,"__proto__":{"uid":"admin"}}', 'u'),
        ('depth-100', 'a hundred levels are read', b'{"uid":"u","exp":2000000000,"x":' + b'[' * 99 + b']' * 99 + b'}', 'u'),
    ]
    for name, note, body, uid in good:
        check('uid-' + name, note, ticket(TOKEN, body), 'ok:' + uid, ['uid', 'payload'])
    return {'group': 'ticket', 'clock': 'ms', 'parties': ['node', 'python', 'php', 'hub'], 'flags': FLAGS, 'cases': cases}
