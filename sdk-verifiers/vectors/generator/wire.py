"""Primitives of the scheme, written from the contract (WIRE 1.4, 6.3, 7, 10.1) and independent of every SDK."""
import base64
import hashlib
import hmac
import json

SECRET = 'bailing-test-secret'
TS = 1718000000
MS = 1718000000000


def raw(value):
    """Bytes of an input: text as UTF-8, bytes as they are, None as nothing."""
    if value is None:
        return b''
    return value if isinstance(value, bytes) else value.encode('utf-8')


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def mac(secret, data):
    return hmac.new(secret.encode('utf-8'), data, hashlib.sha256).hexdigest()


def call_string(ts, method, target, body, subject, job):
    """ts.METHOD.target.sha256(body).subject.job, as bytes; only ASCII letters of the method change case."""
    return b'.'.join([raw(ts), raw(method).upper(), raw(target), sha256(raw(body)).encode(), raw(subject), raw(job)])


def body_string(ms, body):
    return raw(ms) + b'.' + raw(body)


def label(secret, data):
    return 'sha256=' + mac(secret, data)


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':'))


def ticket(token, payload):
    """v1.<payload>.<mac>; payload is text (base64url) or bytes to be encoded."""
    text = payload if isinstance(payload, str) else b64url(payload)
    return 'v1.' + text + '.' + mac(token, text.encode())


def put(target, name, value):
    """Stores an input as plain text when it is printable ASCII, else as <name>Hex; None leaves it out."""
    if value is None:
        return
    data = raw(value)
    if all(0x20 <= b <= 0x7E for b in data):
        target[name] = data.decode('ascii')
    else:
        target[name + 'Hex'] = data.hex()
