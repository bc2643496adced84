"""Spec fetch, the SpecServer's answers and the authorization probe: WIRE 4.2, 4.5, 17; clock in seconds."""
from tool_call import Cases
from wire import SECRET, TS, call_string, label, mac, put, raw

FLAGS = {'frozen': 'a vector published with the contract; it never changes', 'hostile': 'what an attacker or a broken intermediary would send', 'window': 'the time window', 'target': 'the raw target',
         'server': 'the answer of SpecServer', 'public': 'a document served without a secret, by choice', 'probe': 'the authorization probe', 'swap': 'one signed part was exchanged after signing', 'signature': 'the form of the signature'}
SPEC = dict(method='GET', target='/bailing/tools.json', body=b'', subject=None, job=None)
NOBODY = '__bailing_authz_probe__:nobody'
PROBE_BODY = b'{"subject":"__bailing_authz_probe__:nobody","reason":"bailing-authz-probe","expect":"deny"}'
PROBE = dict(method='POST', target='/.well-known/bailing/authz-probe', body=PROBE_BODY, subject=NOBODY, job='probe')


def handles(c):
    def handle(name, note, result, flags=(), secret=SECRET, sign_with=None, signature='right', now=TS, ts=str(TS), signed=None, **over):
        sent = {**SPEC, **over}
        s = {**sent, **(signed or {})}
        right = label(secret if sign_with is None else sign_with, call_string(ts, s['method'], s['target'], s['body'], None, None)) if signature == 'right' else signature
        case_input = {'secret': secret}
        put(case_input, 'method', sent['method'])
        put(case_input, 'target', sent['target'])
        case_input['bodyHex'] = raw(sent['body']).hex()
        put(case_input, 'timestamp', ts)
        put(case_input, 'signature', right)
        code = int(result.split(':')[0])
        c.list.append({'id': 'spec-fetch/handle-' + name, 'kind': 'handle', 'note': note, 'flags': ['server'] + list(flags), 'now': now, 'input': case_input, 'expected': {'result': result, 'code': code}})

    handle('signed', 'a signed fetch', '200')
    handle('query', 'a signed fetch with a query', '200', target='/bailing/tools.json?v=2')
    handle('unsigned', 'the unsigned form of the probe', '401:timestamp_out_of_window', ['hostile'], ts=None, signature=None)
    handle('invalid', 'the invalid form of the probe', '401:bad_signature', ['hostile'], signature='sha256=' + '0' * 64)
    handle('late', 'exactly 300 seconds late', '401:timestamp_out_of_window', ['hostile', 'window'], now=TS + 300)
    handle('swapped-query', 'another query than the signed one', '401:bad_signature', ['hostile', 'swap'], target='/bailing/tools.json?v=3', signed={'target': '/bailing/tools.json?v=2'})
    handle('post', 'another method is refused before anything else', '405', ['hostile'], method='POST')
    handle('head', 'HEAD is another method', '405', ['hostile'], method='HEAD')
    handle('lower-get', 'a lower-case get', '200', method='get')
    handle('public', 'a public document, unsigned', '200', ['public'], secret=None, ts=None, signature=None, sign_with='x')
    handle('public-signed', 'a public document does not look at a signature', '200', ['public'], secret=None, signature='sha256=' + '0' * 64, sign_with='x')
    handle('public-post', 'a public document is read by GET only', '405', ['public', 'hostile'], secret=None, method='POST', ts=None, signature=None, sign_with='x')
    handle('empty-secret', 'an empty secret is not a public document', '401:bad_signature', ['hostile'], secret='')
    for name, secret, value in [('protected', SECRET, '{"cache-control":"private, no-store","content-type":"application/json; charset=utf-8"}'), ('public', None, '{"content-type":"application/json; charset=utf-8"}'),
                                ('empty-secret', '', '{"cache-control":"private, no-store","content-type":"application/json; charset=utf-8"}')]:
        c.list.append({'id': 'spec-fetch/headers-' + name, 'kind': 'headers', 'note': 'the headers of an answer: ' + name.replace('-', ' '), 'flags': ['server'], 'input': {'secret': secret}, 'expected': {'result': value, 'value': value}})


def probes(c):
    def probe(name, note, authorize, result, flags=(), signature='right', now=TS, signed=None, **over):
        sent = {**PROBE, **over}
        s = {**sent, **(signed or {})}
        right = label(SECRET, call_string(str(TS), s['method'], s['target'], s['body'], s['subject'], s['job'])) if signature == 'right' else signature
        case_input = {'secret': SECRET}
        put(case_input, 'method', sent['method'])
        put(case_input, 'target', sent['target'])
        case_input['bodyHex'] = raw(sent['body']).hex()
        put(case_input, 'timestamp', str(TS))
        put(case_input, 'signature', right)
        put(case_input, 'onBehalfOf', sent['subject'])
        put(case_input, 'jobId', sent['job'])
        case_input['authorize'] = authorize
        c.list.append({'id': 'spec-fetch/probe-' + name, 'kind': 'probe', 'note': note, 'flags': ['probe'] + list(flags), 'now': now, 'input': case_input, 'expected': {'result': result, 'code': int(result[:3])}})

    def only(operator):
        return {'operator': operator, 'tool': '__probe__.authz', 'params': {}}

    probe('denied', 'the business denies nobody, as it should', 'false', '200:false')
    probe('allowed', 'the business lets nobody in: suspect', 'true', '200:true')
    for how in ('throws', 'missing', 'null', 'one', 'text', 'object'):
        probe(how, 'an authorize that answers nothing like true: ' + how, how, '200:false', ['hostile'])
    probe('subject-of-body', 'the subject of the body is asked', only(NOBODY), '200:true')
    probe('subject-body-wins', 'the subject of the body wins over the header', only('a'), '200:true', body=b'{"subject":"a"}', subject='b')
    probe('subject-header', 'no subject in the body: the header is asked', only('b'), '200:true', body=b'{}', subject='b')
    probe('subject-not-text', 'a subject that is no text counts as none', only('b'), '200:true', ['hostile'], body=b'{"subject":["a"]}', subject='b')
    probe('body-not-json', 'a body that is no JSON: the header is asked', only('b'), '200:true', ['hostile'], body=b'subject=a', subject='b')
    probe('get', 'a probe by GET has no body', only(NOBODY), '200:true', method='GET', body=b'')
    probe('bad-signature', 'a bad signature is 401 whatever the business says', 'true', '401:false', ['hostile', 'signature'], signature='sha256=' + '0' * 64)
    probe('late', 'a late probe', 'true', '401:false', ['hostile', 'window'], now=TS + 300)
    probe('swapped-subject', 'another subject in the body than the signed one', 'true', '401:false', ['hostile', 'swap'], body=b'{"subject":"a"}', signed={'body': b'{"subject":"b"}'})


def group():
    c = Cases('spec-fetch')
    c.verify('frozen', 'the contract\'s spec fetch', flags=['frozen'], **SPEC)
    c.verify('query', 'a query belongs to the target', flags=['target'], **{**SPEC, 'target': '/bailing/tools.json?v=2'})
    c.verify('empty-body-and-subject', 'empty and absent are the same', **{**SPEC, 'subject': '', 'job': ''})
    bad = 'bad_signature'
    c.refuse('with-subject', 'a subject where the fetch has none', bad, ['swap'], **{**SPEC, 'subject': '179:1', 'signed': {'subject': None}})
    c.refuse('with-body', 'a body where the fetch has none', bad, ['swap'], **{**SPEC, 'body': b'{}', 'signed': {'body': b''}})
    c.refuse('as-post', 'a POST with the signature of a GET', bad, ['swap'], **{**SPEC, 'method': 'POST', 'signed': {'method': 'GET'}})
    c.refuse('other-path', 'the signature of another document', bad, ['swap', 'target'], **{**SPEC, 'signed': {'target': '/bailing/other.json'}})
    c.refuse('host-signed', 'a signature over the whole URL', bad, ['swap', 'target'], **{**SPEC, 'signed': {'target': 'https://shop.example/bailing/tools.json'}})
    c.refuse('edge', 'exactly 300 seconds', 'timestamp_out_of_window', ['window'], now=TS + 300, **SPEC)
    handles(c)
    probes(c)
    return {'group': 'spec-fetch', 'clock': 's', 'parties': ['node', 'python', 'php'], 'flags': FLAGS, 'cases': c.list}


assert mac(SECRET, b'') != ''
