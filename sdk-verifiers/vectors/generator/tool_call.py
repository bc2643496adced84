"""Tool calls: WIRE 6.3, clock in seconds."""
import base64

from wire import MS, SECRET, TS, call_string, label, mac, put, raw, sha256

FLAGS = {
    'frozen': 'a vector published with the contract; it never changes',
    'sign': 'the signer is asked, not the verifier',
    'hostile': 'what an attacker or a broken intermediary would send',
    'window': 'the time window and its exact edges',
    'timestamp': 'the form of the timestamp',
    'signature': 'the form of the signature',
    'target': 'the raw request target, never decoded or encoded again',
    'body': 'raw body bytes',
    'swap': 'one signed part was exchanged after signing',
    'subject': 'on-behalf-of and job, their bytes, and their absence',
    'method': 'upper-casing of the method, ASCII letters only',
    'secret': 'the shared secret',
}
BODY = b'{"title":"test","price":9.9}'
POST = dict(method='POST', target='/goods/create', body=BODY, subject='179:1', job='job-test-001')


class Cases:
    """Collects cases; what is signed and what is sent are given apart."""

    def __init__(self, prefix):
        self.prefix, self.list = prefix, []

    def verify(self, name, note, result='ok', flags=(), now=TS, ts=str(TS), secret=SECRET, key=None, signed=None, signature='right', window=None, **sent):
        """`sent` is what arrives; `signed` overrides what the signature was made over; `key` the signing secret."""
        sent = {**POST, **sent}
        over = {'ts': ts, **sent, **(signed or {})}
        string = call_string(over['ts'], over['method'], over['target'], over['body'], over['subject'], over['job'])
        right = label(secret if key is None else key, string)
        sig = right if signature == 'right' else signature(right, string) if callable(signature) else signature
        case_input = {'secret': secret}
        put(case_input, 'method', sent['method'])
        put(case_input, 'target', sent['target'])
        case_input['bodyHex'] = raw(sent['body']).hex()
        put(case_input, 'timestamp', ts)
        put(case_input, 'signature', sig)
        put(case_input, 'onBehalfOf', sent['subject'])
        put(case_input, 'jobId', sent['job'])
        if window is not None:
            case_input['window'] = window
        truth = call_string(ts, sent['method'], sent['target'], sent['body'], sent['subject'], sent['job'])
        self.list.append({
            'id': '%s/%s' % (self.prefix, name), 'kind': 'verify', 'note': note, 'flags': list(flags), 'now': now, 'input': case_input,
            'intermediate': {'bodySha256': sha256(raw(sent['body'])), 'stringToSignHex': truth.hex()},
            'expected': {'result': result, 'valid': result == 'ok', 'reason': result},
        })

    def refuse(self, name, note, reason, flags, **kw):
        self.verify(name, note, reason, ('hostile',) + tuple(flags), **kw)

    def sign(self, name, note, signature, flags=(), ts=str(TS), secret=SECRET, **over):
        over = {**POST, **over}
        string = call_string(ts, over['method'], over['target'], over['body'], over['subject'], over['job'])
        value = label(secret, string)
        if signature is not None and value != signature:
            raise SystemExit('the frozen signature of %s does not come out: %s' % (name, value))
        case_input = {'secret': secret}
        for key, given in (('timestamp', ts), ('method', over['method']), ('target', over['target'])):
            put(case_input, key, given)
        case_input['bodyHex'] = raw(over['body']).hex()
        put(case_input, 'onBehalfOf', over['subject'])
        put(case_input, 'jobId', over['job'])
        self.list.append({
            'id': '%s/%s' % (self.prefix, name), 'kind': 'sign', 'note': note, 'flags': ['sign'] + list(flags), 'input': case_input,
            'intermediate': {'bodySha256': sha256(raw(over['body'])), 'stringToSignHex': string.hex()},
            'expected': {'result': value, 'value': value},
        })


ENCODED = '/orders/A%201%2F2?status=%E5%BE%85+%E4%BB%98&tags=a%2Cb&n=10'
FROZEN = [
    ('post', 'the contract\'s POST with a subject and a job', 'sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5', {}),
    ('get-spec', 'the contract\'s spec fetch: everything but the target is empty',
     'sha256=505ab99763cd20b50ba4066ee2ac315fe6af12a8638e7dabef63508abddedc74',
     dict(method='GET', target='/bailing/tools.json', body=b'', subject=None, job=None)),
    ('encoded', 'path and query as the hub encodes them, signed and verified raw',
     'sha256=3a87ce0cb3096cd8bef881c5c28e1bdf32ee57cc61ad4dd987e25b4b6556eca6', dict(method='GET', target=ENCODED, body=b'')),
    ('empty-object', 'a write without arguments sends {} and no subject',
     'sha256=a345a41996bff3736fe3ca5ff03b0e784a4c54c54cad7ee0e8adbc5562b25975', dict(target='/orders/sync', body=b'{}', subject=None)),
]


def frozen(c):
    for name, note, signature, over in FROZEN:
        c.sign('frozen-sign-' + name, note, signature, ('frozen',), **over)
        c.verify('frozen-' + name, note, flags=('frozen',), **over)


def windows(c):
    old, out = 'timestamp_out_of_window', ('window',)
    c.verify('window-299-old', 'one second inside the window', flags=out, now=TS + 299)
    c.verify('window-299-ahead', 'a clock one second inside the window on the other side', flags=out, now=TS - 299)
    c.refuse('window-300-old', 'exactly 300 seconds old is outside', old, out, now=TS + 300)
    c.refuse('window-300-ahead', 'exactly 300 seconds ahead is outside', old, out, now=TS - 300)
    c.refuse('window-301-old', 'too old', old, out, now=TS + 301)
    c.refuse('window-far-ahead', 'a year ahead', old, out, now=TS - 31536000)
    c.refuse('window-zero-ts', 'timestamp zero', old, out, ts='0')
    c.verify('window-narrow-inside', 'a window of 60 seconds, 59 old', flags=out, now=TS + 59, window=60)
    c.refuse('window-narrow-edge', 'a window of 60 seconds, 60 old', old, out, now=TS + 60, window=60)
    c.refuse('window-none', 'a window of zero lets nothing in', old, out, window=0)
    c.refuse('window-negative', 'a negative window lets nothing in', old, out, window=-300)
    c.refuse('window-first', 'too old and wrongly signed: the window is tested first', old, out, now=TS + 300, signature='sha256=' + '0' * 64)
    c.refuse('ms-for-s', 'milliseconds where seconds are due', old, ('window', 'timestamp'), ts=str(MS))


def timestamps(c):
    odd = [
        ('missing', 'no timestamp header', None), ('empty', 'an empty timestamp', ''), ('word', 'not a number', 'now'),
        ('negative', 'a minus sign', '-1718000000'), ('plus', 'a plus sign', '+1718000000'), ('exponent', 'an exponent', '1718e6'),
        ('exponent-exact', 'an exponent that equals the time', '1.718e9'), ('fraction', 'a decimal point', '1718000000.0'),
        ('hex', 'hexadecimal of the same second', '0x6666A580'), ('20-digits', 'twenty digits', '17180000000000000000'),
        ('20-zeros', 'twenty digits, the value right', '00000000001718000000'), ('300-digits', 'three hundred digits', '9' * 300),
        ('leading-space', 'a leading space', ' 1718000000'), ('trailing-space', 'a trailing space', '1718000000 '),
        ('newline', 'a newline at the end, which a sloppy pattern lets through', b'1718000000\n'), ('nul', 'a NUL at the end', b'1718000000\x00'),
        ('comma', 'two headers joined by a server', '1718000000, 1718000000'), ('separators', 'digit separators', '1_718_000_000'),
        ('group', 'thousands separators', '1,718,000,000'), ('arabic', 'Arabic-Indic digits', '\u0661\u0667\u0661\u0668\u0660\u0660\u0660\u0660\u0660\u0660'),
        ('fullwidth', 'full-width digits', '\uff11\uff17\uff11\uff18\uff10\uff10\uff10\uff10\uff10\uff10'), ('invalid-utf8', 'bytes that are not text', b'\xff\xfe'),
        ('superscript', 'a superscript digit', '171800000\u00b2'), ('nan', 'NaN', 'NaN'), ('infinity', 'Infinity', 'Infinity'), ('true', 'a boolean word', 'true'),
    ]
    for name, note, ts in odd:
        c.refuse('ts-' + name, note, 'timestamp_out_of_window', ('timestamp',), ts=ts)
    c.verify('ts-leading-zero', 'leading zeros are digits; the text as sent is what is signed', flags=('timestamp',), ts='0001718000000')
    c.refuse('ts-leading-zero-stripped', 'signed without the zeros that were sent', 'bad_signature', ('timestamp', 'swap'), ts='0001718000000', signed={'ts': str(TS)})


def signatures(c):
    def cut(n):
        return lambda right, _: right[:n]
    odd = [
        ('missing', 'no signature header', None), ('empty', 'an empty signature', ''), ('zeros', 'the invalid form of the probe', 'sha256=' + '0' * 64),
        ('label-only', 'the label alone', 'sha256='), ('no-label', 'the hex without its label', lambda r, _: r[7:]),
        ('upper-hex', 'upper-case hex', lambda r, _: 'sha256=' + r[7:].upper()), ('upper-label', 'an upper-case label', lambda r, _: 'SHA256=' + r[7:]),
        ('mixed-one', 'one upper-case digit', lambda r, _: r.replace('e', 'E', 1)), ('short-by-one', 'one digit short', cut(70)),
        ('prefix-8', 'the first eight digits only', cut(15)), ('prefix-1', 'the first digit only', cut(8)), ('long-by-one', 'one digit too many', lambda r, _: r + '0'),
        ('doubled', 'the right one twice', lambda r, _: r + r[7:]), ('two-joined', 'two headers joined by a server', lambda r, _: r + ', ' + r),
        ('last-digit', 'the last digit changed', lambda r, _: r[:-1] + ('0' if r[-1] != '0' else '1')),
        ('first-digit', 'the first digit changed', lambda r, _: 'sha256=' + ('0' if r[7] != '0' else '1') + r[8:]),
        ('leading-space', 'a leading space', lambda r, _: ' ' + r), ('trailing-space', 'a trailing space', lambda r, _: r + ' '),
        ('newline', 'a newline at the end', lambda r, _: (r + '\n').encode()), ('nul', 'a NUL at the end', lambda r, _: (r + '\x00').encode()),
        ('non-ascii', 'a non-ASCII byte inside', lambda r, _: r[:-1].encode() + b'\xc3'), ('non-hex', 'a letter beyond f', lambda r, _: r[:-1] + 'g'),
        ('fullwidth', 'a full-width digit', lambda r, _: r[:-1] + '\uff11'), ('sha1', 'another algorithm named', lambda r, _: 'sha1=' + r[7:47]),
        ('sha512-label', 'another label before the right digits', lambda r, _: 'sha512=' + r[7:]), ('hmac-label', 'an invented label', lambda r, _: 'hmac=' + r[7:]),
        ('space-label', 'a space for the equals sign', lambda r, _: 'sha256 ' + r[7:]),
        ('base64', 'the right MAC in base64', lambda r, _: 'sha256=' + base64.b64encode(bytes.fromhex(r[7:])).decode()),
        ('quoted', 'quoted', lambda r, _: '"' + r + '"'), ('null-word', 'the word null', 'null'), ('array-like', 'an array as text', lambda r, _: '["' + r + '"]'),
        ('body-hash', 'the hash of the body for the MAC', lambda r, _: 'sha256=' + sha256(BODY)), ('unkeyed', 'a plain hash of the string', lambda r, s: 'sha256=' + sha256(s)),
        ('huge', 'sixty thousand digits', 'sha256=' + 'a' * 60000),
    ]
    for name, note, signature in odd:
        c.refuse('sig-' + name, note, 'bad_signature', ('signature',), signature=signature)


def swaps(c):
    bad, flags = 'bad_signature', ('swap',)
    c.refuse('swap-subject', 'another subject', bad, flags, subject='179:2', signed={'subject': '179:1'})
    c.refuse('swap-subject-added', 'a subject where none was signed', bad, flags, subject='179:1', signed={'subject': None})
    c.refuse('swap-subject-dropped', 'the subject taken away', bad, flags, subject=None, signed={'subject': '179:1'})
    c.refuse('swap-job', 'another job', bad, flags, job='job-test-002', signed={'job': 'job-test-001'})
    c.refuse('swap-job-dropped', 'the job taken away', bad, flags, job=None, signed={'job': 'job-test-001'})
    c.refuse('swap-job-subject', 'subject and job exchanged', bad, flags, subject='job-test-001', job='179:1', signed={'subject': '179:1', 'job': 'job-test-001'})
    c.refuse('swap-method', 'PUT where POST was signed', bad, flags, method='PUT', signed={'method': 'POST'})
    c.refuse('swap-body', 'one digit of the body', bad, flags, body=BODY.replace(b'9.9', b'9.8'), signed={'body': BODY})
    c.refuse('swap-body-dropped', 'no body where one was signed', bad, flags, body=b'', signed={'body': BODY})
    c.refuse('swap-body-added', 'a body where none was signed', bad, flags, body=BODY, signed={'body': b''})
    c.refuse('swap-body-reserialised', 'the same JSON with spaces', bad, flags + ('body',), body=b'{"title": "test", "price": 9.9}', signed={'body': BODY})
    c.refuse('swap-body-newline', 'a newline after the body', bad, flags + ('body',), body=BODY + b'\n', signed={'body': BODY})
    c.refuse('swap-target', 'another path', bad, flags, target='/goods/delete', signed={'target': '/goods/create'})
    c.refuse('swap-query', 'another query value', bad, flags, target='/goods?id=2', signed={'target': '/goods?id=1'})
    c.refuse('swap-query-dropped', 'the query taken away', bad, flags, target='/goods', signed={'target': '/goods?id=1'})
    c.refuse('swap-query-order', 'the query put in another order', bad, flags, target='/goods?b=2&a=1', signed={'target': '/goods?a=1&b=2'})
    c.refuse('swap-timestamp', 'a fresher timestamp than the signed one', bad, flags, ts=str(TS + 10), signed={'ts': str(TS)})


def targets(c):
    flags = ('target',)
    good = [
        ('plus', 'a plus in the query stays a plus', '/orders?q=a+b'), ('percent-20', '%20 in the query stays %20', '/orders?q=a%20b'),
        ('percent-2f', 'an encoded slash in the path stays encoded', '/files/a%2Fb'), ('percent-lower', 'lower-case percent digits stay', '/files/a%2fb'),
        ('percent-25', 'an encoded percent sign stays encoded once', '/files/100%25'), ('utf8-encoded', 'a Chinese path as the hub encodes it', '/%E8%AE%A2%E5%8D%95/1'),
        ('bare-percent', 'a percent sign that encodes nothing', '/files/100%'), ('dot-segments', 'dot segments as sent', '/a/../b/./c'),
        ('encoded-dots', 'encoded dot segments as sent', '/a/%2e%2e/b'), ('double-slash', 'doubled slashes as sent', '//a//b'), ('trailing-slash', 'a trailing slash', '/orders/'),
        ('question-in-query', 'a question mark in the query', '/orders?q=what?'), ('empty-query', 'a bare question mark that was sent is signed', '/orders?'),
        ('many-ampersands', 'empty query parts', '/orders?&&a=1&'), ('semicolon', 'a semicolon', '/orders;v=1?a=1;b=2'), ('no-value', 'a name without value', '/orders?flag'),
        ('duplicate-names', 'one name twice', '/orders?a=1&a=2'), ('dots', 'dots in the path, the separator of the string', '/v1.2/a.b?c=d.e'), ('quote', 'an encoded apostrophe', '/o?q=%27'),
        ('root', 'the root', '/'), ('long', 'a target of eight thousand bytes', '/x?q=' + 'a' * 8000),
        ('raw-utf8', 'raw UTF-8 bytes in the target', '/订单?q=待付'), ('raw-latin1', 'a raw byte that is not UTF-8', b'/caf\xe9'),
    ]
    for name, note, target in good:
        c.verify('target-' + name, note, flags=flags, method='GET', target=target, body=b'')
    bad = [
        ('plus-for-20', '+ where %20 was signed', '/orders?q=a+b', '/orders?q=a%20b'), ('20-for-plus', '%20 where + was signed', '/orders?q=a%20b', '/orders?q=a+b'),
        ('decoded-slash', 'the encoded slash decoded on the way', '/files/a/b', '/files/a%2Fb'), ('decoded-path', 'the path decoded on the way', '/files/a b', '/files/a%20b'),
        ('encoded-path', 'the path encoded on the way', '/files/a%20b', '/files/a b'), ('case-of-percent', 'percent digits in another case', '/files/a%2fb', '/files/a%2Fb'),
        ('decoded-utf8', 'a decoded Chinese path', '/订单/1', '/%E8%AE%A2%E5%8D%95/1'), ('double-decoded', '%2525 decoded once', '/f/%25', '/f/%2525'),
        ('normalised-dots', 'dot segments collapsed', '/b', '/a/../b'), ('query-mark-dropped', 'the bare question mark dropped', '/orders', '/orders?'),
        ('query-mark-added', 'a bare question mark added', '/orders?', '/orders'), ('slash-added', 'a slash added', '/orders/', '/orders'), ('case', 'another case', '/Orders', '/orders'),
        ('prefix-added', 'the base prefix of the provider is never signed', '/api/orders', '/orders'), ('host-added', 'an absolute URL', 'http://shop.example/orders', '/orders'),
        ('fragment', 'a fragment', '/orders#x', '/orders'), ('nfd', 'the same word in another normal form', '/cafe\u0301', '/caf\u00e9'), ('slashes-merged', 'doubled slashes merged', '/a/b', '//a//b'),
    ]
    for name, note, sent, signed in bad:
        c.refuse('target-' + name, note, 'bad_signature', flags + ('swap',), method='GET', body=b'', target=sent, signed={'target': signed})


def bodies(c):
    cut = '{"t":"待付"}'.encode()
    good = [
        ('not-utf8', 'bytes that are not UTF-8', b'\xff\xfe\x00\x80'), ('cut-character', 'a body that ends inside a character', cut[:6]), ('bom', 'a byte order mark', b'\xef\xbb\xbf{}'),
        ('nul', 'NUL bytes', b'{"a":"\x00"}'), ('crlf', 'line ends stay as they are', b'{\r\n}\r\n'), ('utf8', 'Chinese text and an emoji', '{"t":"待付😀"}'.encode()), ('empty', 'no body at all', b''),
        ('surrogate-bytes', 'encoded surrogates', b'{"a":"\xed\xa0\x80"}'), ('10k', 'ten KiB', b'{"a":"' + b'x' * 10240 + b'"}'), ('all-bytes', 'every byte value', bytes(range(256))),
    ]
    for name, note, body in good:
        c.verify('body-' + name, note, flags=('body',), body=body)
    bad = [
        ('replaced', 'invalid bytes replaced by U+FFFD on the way', b'\xef\xbf\xbd', b'\xff'), ('cut-replaced', 'a cut character replaced, as by joining decoded chunks', cut[:5] + b'\xef\xbf\xbd', cut[:6]),
        ('chunks-decoded', 'a character split over two chunks and decoded apart', '{"t":"\ufffd\ufffd付"}'.encode(), cut), ('bom-stripped', 'the byte order mark stripped', b'{}', b'\xef\xbb\xbf{}'),
        ('crlf-to-lf', 'line ends rewritten', b'{\n}', b'{\r\n}'), ('latin1', 'UTF-8 taken for Latin-1 and encoded again', '{"t":"é"}'.encode().decode('latin1').encode(), '{"t":"é"}'.encode()),
        ('unicode-escaped', 'the same JSON with escapes', b'{"t":"\\u5f85"}', '{"t":"待"}'.encode()),
    ]
    for name, note, sent, signed in bad:
        c.refuse('body-' + name, note, 'bad_signature', ('body', 'swap'), body=sent, signed={'body': signed})


def subjects(c):
    flags = ('subject',)
    c.verify('subject-empty', 'an empty subject header is the same as none', flags=flags, subject='')
    c.verify('job-empty', 'an empty job header is the same as none', flags=flags, job='')
    c.verify('both-absent', 'neither subject nor job', flags=flags, subject=None, job=None)
    c.verify('subject-dots', 'dots in subject and job', flags=flags, subject='t.1:u.2', job='job.1')
    c.verify('subject-probe', 'the probe\'s own subject', flags=flags, subject='__bailing_authz_probe__:nobody', job='probe')
    c.verify('subject-utf8', 'a subject in raw UTF-8 bytes', flags=flags, subject='租户:张三')
    c.verify('subject-latin1', 'a subject byte that is not UTF-8 is signed as the byte it is', flags=flags, subject=b'caf\xe9')
    c.verify('subject-long', 'a subject of 191 characters', flags=flags, subject='u' * 191)
    c.verify('subject-space', 'a space inside the subject', flags=flags, subject='tenant one:user')
    c.verify('dots-ambiguous', 'the format does not tell "a.b"+"c" from "a"+"b.c": a known limit, so split on neither', flags=flags, subject='a.b', job='c', signed={'subject': 'a', 'job': 'b.c'})
    c.refuse('subject-latin1-as-utf8', 'UTF-8 signed, one Latin-1 byte sent', 'bad_signature', flags, subject=b'caf\xe9', signed={'subject': 'café'})
    c.refuse('subject-double-encoded', 'UTF-8 taken for Latin-1 and encoded again', 'bad_signature', flags, subject='张三'.encode().decode('latin1'), signed={'subject': '张三'})
    c.refuse('subject-trailing-space', 'a space after the subject', 'bad_signature', flags, subject='179:1 ', signed={'subject': '179:1'})
    c.refuse('subject-case', 'the subject in another case', 'bad_signature', flags, subject='USER:1', signed={'subject': 'user:1'})
    c.refuse('subject-joined', 'two subject headers joined by a server', 'bad_signature', flags, subject='179:1, 179:2', signed={'subject': '179:1'})
    c.refuse('subject-nul', 'a NUL after the subject', 'bad_signature', flags, subject=b'179:1\x00', signed={'subject': '179:1'})
    c.refuse('subject-shift', 'a piece of the job moved into the subject', 'bad_signature', flags, subject='179:1.job-test-001', job=None, signed={'subject': '179:1', 'job': 'job-test-001'})


def methods(c):
    c.verify('method-lower', 'a lower-case method is upper-cased', flags=('method',), method='post')
    c.verify('method-mixed', 'a mixed-case method is upper-cased', flags=('method',), method='pAtCh')
    c.verify('method-delete', 'DELETE with a body', flags=('method',), method='DELETE', body=b'{}')
    c.refuse('method-signed-lower', 'a signer that forgot to upper-case', 'bad_signature', ('method',), method='post', signature=lambda _r, s: label(SECRET, s.replace(b'.POST.', b'.post.', 1)))
    c.refuse('method-long-s', 'a letter that full Unicode upper-casing turns into S', 'bad_signature', ('method',), method='po\u017ft', signed={'method': 'POST'})
    c.refuse('method-dotless-i', 'a letter that full Unicode upper-casing turns into I', 'bad_signature', ('method',), method='opt\u0131ons', signed={'method': 'OPTIONS'})
    c.refuse('method-empty', 'no method', 'bad_signature', ('method',), method='', signed={'method': 'POST'})
    c.refuse('method-space', 'a space after the method', 'bad_signature', ('method',), method='POST ', signed={'method': 'POST'})


def secrets(c):
    c.verify('secret-unicode', 'a secret beyond ASCII is UTF-8', flags=('secret',), secret='密钥-é-😀')
    c.verify('secret-long', 'a secret longer than the hash block', flags=('secret',), secret='k' * 128)
    c.verify('secret-spaces', 'spaces around a secret belong to it', flags=('secret',), secret=' s ')
    c.refuse('secret-other', 'another secret', 'bad_signature', ('secret',), key='bailing-test-secret-2')
    c.refuse('secret-case', 'the secret in another case', 'bad_signature', ('secret',), key='Bailing-test-secret')
    c.refuse('secret-trimmed', 'the secret trimmed', 'bad_signature', ('secret',), secret=' s ', key='s')
    c.refuse('secret-empty', 'an empty secret verifies nothing, not even what was signed with it', 'bad_signature', ('secret',), secret='')
    c.refuse('secret-empty-late', 'an empty secret and too old: the window is tested first', 'timestamp_out_of_window', ('secret', 'window'), secret='', now=TS + 400)


def group():
    c = Cases('tool-call')
    for part in (frozen, windows, timestamps, signatures, swaps, targets, bodies, subjects, methods, secrets):
        part(c)
    return {'group': 'tool-call', 'clock': 's', 'parties': ['node', 'python', 'php', 'hub'], 'flags': FLAGS, 'cases': c.list}


assert mac('secret', b'') != ''
