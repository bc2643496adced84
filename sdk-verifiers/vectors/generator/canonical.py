"""Canonical JSON, args_hash and idempotency key: WIRE 7. The number printer is ours, after ECMAScript's Number::toString."""
import json

from wire import sha256

JOB = '11111111-2222-4333-8444-555555555555'
FLAGS = {'frozen': 'a vector published with the contract; it never changes', 'hostile': 'what breaks a canonical form', 'numbers': 'reading and printing numbers', 'order': 'order of members',
         'strings': 'escapes and Unicode', 'grammar': 'what is JSON and what is not', 'depth': 'nesting', 'key': 'the idempotency key'}


class Refused(Exception):
    pass


def number(value):
    value = float(value)
    if value != value or value in (float('inf'), float('-inf')):
        return 'null'
    if value == 0:
        return '0'
    sign = '-' if value < 0 else ''
    mantissa, _, exponent = ('%s' % repr(abs(value))).partition('e')
    whole, _, fraction = mantissa.partition('.')
    digits = (whole + fraction).lstrip('0')
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0')
    k = len(digits)
    if k <= point <= 21:
        text = digits + '0' * (point - k)
    elif 0 < point <= 21:
        text = digits[:point] + '.' + digits[point:]
    elif -6 < point <= 0:
        text = '0.' + '0' * -point + digits
    else:
        e = point - 1
        text = digits[0] + ('.' + digits[1:] if k > 1 else '') + 'e' + ('+' if e > 0 else '-') + str(abs(e))
    return sign + text


def string(value):
    if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        raise Refused()
    short = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}
    return '"' + ''.join(short.get(c, '\\u%04x' % ord(c) if ord(c) < 32 else c) for c in value) + '"'


def canonical(value):
    if value is None or value is True or value is False:
        return {None: 'null', True: 'true', False: 'false'}[value]
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return '[' + ','.join(canonical(v) for v in value) + ']'
    names = sorted(value, key=lambda n: n.encode('utf-16-be', 'surrogatepass'))
    return '{' + ','.join(string(n) + ':' + canonical(value[n]) for n in names) + '}'


def no_constant(_):
    raise ValueError('not JSON')


def read(text):
    value = json.loads(text, parse_constant=no_constant, parse_int=float)
    if not isinstance(value, dict):
        raise Refused()
    return value


def idem(args_hash, job, subject, tool):
    material = canonical({'args_hash': args_hash, 'job_id': job, 'on_behalf_of': subject, 'tool': tool})
    return material, sha256(material.encode())


def group():
    cases = []

    def canon(name, note, text, flags=(), expect=None, frozen_hash=None, refused=False):
        case = {'id': 'canonical/' + name, 'kind': 'canonical', 'note': note, 'flags': list(flags) + (['hostile'] if refused else []), 'input': {'json': text}}
        if refused:
            value = 'invalid_arguments'
        else:
            form = canonical(read(text))
            if expect is not None and form != expect:
                raise SystemExit('canonical/%s: %s' % (name, form))
            digest = sha256(form.encode())
            if frozen_hash and digest != frozen_hash:
                raise SystemExit('canonical/%s: hash %s' % (name, digest))
            case['intermediate'] = {'canonical': form}
            value = form + '#' + digest
        cases.append({**case, 'expected': {'result': value, 'value': value}})

    def key(name, note, text, tool, subject, frozen=None, flags=('key',), job=JOB):
        digest = sha256(canonical(read(text)).encode())
        material, value = idem(digest, job, subject, tool)
        if frozen and value != frozen:
            raise SystemExit('canonical/%s: key %s' % (name, value))
        cases.append({'id': 'canonical/' + name, 'kind': 'key', 'note': note, 'flags': list(flags), 'input': {'json': text, 'tool': tool, 'jobId': job, 'onBehalfOf': subject},
                      'intermediate': {'keyMaterial': material}, 'expected': {'result': digest + ':' + value, 'value': digest + ':' + value}})

    worked = '{"order_no":"A-1001","amount":300,"meta":{"z":1,"a":[true,null,"é"]},"price":9.5}'
    canon('frozen-worked', 'the contract\'s worked example', worked, ['frozen'], '{"amount":300,"meta":{"a":[true,null,"é"],"z":1},"order_no":"A-1001","price":9.5}', '31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655')
    canon('frozen-empty', 'no arguments', '{}', ['frozen'], '{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
    canon('frozen-order', 'UTF-16 order: U+1F600 before U+FF5E', '{"b":1,"a":2,"A":3,"10":4,"9":5,"é":6,"":7,"😀":8,"～":9}', ['frozen', 'order'], '{"":7,"10":4,"9":5,"A":3,"a":2,"b":1,"é":6,"😀":8,"～":9}', '34a0762c66b4b1cdc74f57c36e3749aff2bb12d3c8bd2aa6f817147f3221c409')
    canon('frozen-numbers', 'the number edges', '{"n":1e21,"m":1e-7,"z":-0,"f":1.0,"big":12345678901234567890}', ['frozen', 'numbers'], '{"big":12345678901234567000,"f":1,"m":1e-7,"n":1e+21,"z":0}', '2e6e4afb25db7f7035b37f34ac23e949573c689cd0b93ce542c2feda2c1b8f7e')
    key('frozen-key', 'the contract\'s key', worked, 'refund_order', '179:1', '2a3282191eb5a3ec622162a5c4a9e914a901f8da23e5fa7c164993389adfe75d', ('frozen', 'key'))
    key('frozen-key-empty', 'the contract\'s key without arguments and subject', '{}', 'goods_list', '', '53c9a983c95438501de08b21f83ba2922de73ca9c1824654611793be9655b8b9', ('frozen', 'key'))
    key('key-unicode', 'subject and tool beyond ASCII', '{"a":1}', '退款', '租户:张三 "x"')
    key('key-number-forms', 'the same arguments written otherwise give the same key', '{"price":95e-1,"meta":{"a":[true,null,"\\u00e9"],"z":1.0},"amount":3e2,"order_no":"A-1001"}', 'refund_order', '179:1', '2a3282191eb5a3ec622162a5c4a9e914a901f8da23e5fa7c164993389adfe75d')
    numbers = [('integers', '[0,-0,1,-1,10.0,1.50,100,1e2,1E2,1e+2,0e5,-0.0]'), ('double-limit', '[9007199254740991,9007199254740992,9007199254740993,-9007199254740993]'), ('wide', '[18446744073709551615,9223372036854775807,9223372036854775808,123456789012345678901234567890]'),
               ('exponent-edge', '[1e20,1e21,123456789012345680000,999999999999999900000,1e22,1.5e300]'), ('small-edge', '[0.000001,0.0000001,1e-6,1e-7,0.00000123,1.5e-10]'), ('shortest', '[0.1,0.2,0.30000000000000004,1.1,2.675,100.1,1e23,5e-324,1.7976931348623157e308,2.2250738585072014e-308]'),
               ('overflow', '[1e400,-1e400,1e309]'), ('underflow', '[1e-400,-1e-400]'), ('long-fraction', '[0.1000000000000000055511151231257827,3.141592653589793238462643383279]'), ('seventeen', '[0.12345678901234568,4.35,4.349999999999999,4503599627370496.5]')]
    for name, text in numbers:
        canon('number-' + name, 'numbers: ' + name.replace('-', ' '), '{"n":%s}' % text, ['numbers'])
    strings = [('escapes', '{"s":"\\"\\\\\\/\\b\\f\\n\\r\\t"}'), ('controls', '{"s":"\\u0000\\u0001\\u001f\\u007f"}'), ('line-separators', '{"s":"\\u2028\\u2029"}'), ('unicode-escapes', '{"s":"\\u00e9\\u5f85\\ud83d\\ude00"}'), ('upper-escapes', '{"s":"\\u00E9\\uD83D\\uDE00"}'),
               ('nfc-nfd', '{"\\u00e9":1,"e\\u0301":2}'), ('slash-html', '{"s":"</script>&\'"}'), ('bom-inside', '{"s":"\\ufeff"}'), ('nonchar', '{"s":"\\uffff\\ufdd0"}'), ('private', '{"s":"\\ue000\\udbff\\udfff"}')]
    for name, text in strings:
        canon('string-' + name, 'strings: ' + name.replace('-', ' '), text, ['strings'])
    orders = [('nested', '{"b":{"d":1,"c":{"f":2,"e":3}},"a":[{"z":1,"y":2}]}'), ('integers', '{"2":1,"10":2,"1":3,"01":4,"-1":5}'), ('prefix', '{"ab":1,"a":2,"abc":3,"":4}'), ('proto', '{"__proto__":1,"constructor":{"prototype":2},"toString":3}'), ('nul', '{"\\u0000a":1,"a":2,"\\u0000":3}'),
              ('astral', '{"\\ud800\\udc00":1,"\\uffff":2,"\\ue000":3,"\\ud7ff":4}'), ('repeated', '{"a":1,"b":2,"a":3}'), ('repeated-nested', '{"a":{"x":1},"a":{"y":2}}'), ('case', '{"a":1,"B":2,"A":3,"b":4,"_":5}'), ('list-like', '{"a":{"0":"x","1":"y"},"b":["x","y"]}'), ('empties', '{"a":{},"b":[],"c":"","d":[{}],"e":{"f":[]}}')]
    for name, text in orders:
        canon('order-' + name, 'members: ' + name.replace('-', ' '), text, ['order'])
    canon('spaces', 'white space of all four kinds', ' {\t"a" :\r\n[ 1 , 2 ] } ', ['grammar'], '{"a":[1,2]}')
    canon('literals', 'the three words', '{"a":true,"b":false,"c":null}', ['grammar'])
    canon('depth-60', 'sixty levels', '{"a":' + '[' * 59 + ']' * 59 + '}', ['depth'])
    canon('depth-100', 'a hundred levels', '{"a":' + '[' * 99 + ']' * 99 + '}', ['depth'])
    bad = [('depth-101', 'a hundred and one levels', '{"a":' + '[' * 100 + ']' * 100 + '}', 'depth'), ('depth-200000', 'two hundred thousand levels', '{"a":' + '[' * 200000 + ']' * 200000 + '}', 'depth'), ('depth-open', 'levels that never close', '{"a":' * 30000, 'depth'),
           ('array', 'an array at the top', '[1]', 'grammar'), ('text', 'a text at the top', '"a"', 'grammar'), ('null', 'null at the top', 'null', 'grammar'), ('number', 'a number at the top', '1', 'grammar'), ('empty', 'no text', '', 'grammar'), ('blank', 'white space only', '  ', 'grammar'),
           ('high-surrogate', 'half a pair in a value', '{"a":"\\ud800"}', 'strings'), ('low-surrogate', 'the other half', '{"a":"\\udc00"}', 'strings'), ('swapped-pair', 'a pair in the wrong order', '{"a":"\\ude00\\ud83d"}', 'strings'), ('surrogate-name', 'half a pair in a name', '{"\\ud83d":1}', 'strings'),
           ('surrogate-deep', 'half a pair deep inside', '{"a":[{"b":["x\\ud800y"]}]}', 'strings'), ('nan', 'NaN', '{"a":NaN}', 'grammar'), ('infinity', 'Infinity', '{"a":-Infinity}', 'grammar'), ('single-quotes', 'single quotes', "{'a':1}", 'grammar'), ('bare-name', 'a name without quotes', '{a:1}', 'grammar'),
           ('comma', 'a comma too many', '{"a":1,}', 'grammar'), ('comment', 'a comment', '{"a":1/*x*/}', 'grammar'), ('leading-zero', 'a leading zero', '{"a":01}', 'grammar'), ('plus', 'a plus sign', '{"a":+1}', 'grammar'), ('point-first', 'a point first', '{"a":.5}', 'grammar'), ('point-last', 'a point last', '{"a":5.}', 'grammar'),
           ('bare-exponent', 'an exponent without digits', '{"a":1e}', 'grammar'), ('hex', 'hexadecimal', '{"a":0x10}', 'grammar'), ('control', 'a raw control in a text', '{"a":"\u0001"}', 'grammar'), ('tab', 'a raw tab in a text', '{"a":"\t"}', 'grammar'), ('bad-escape', 'an unknown escape', '{"a":"\\x41"}', 'grammar'),
           ('short-escape', 'an escape that is too short', '{"a":"\\u12"}', 'grammar'), ('two', 'two objects', '{}{}', 'grammar'), ('bom', 'a byte order mark before it', '\ufeff{}', 'grammar'), ('nbsp', 'a non-breaking space before it', '\u00a0{}', 'grammar'), ('form-feed', 'a form feed before it', '\f{}', 'grammar'),
           ('upper-word', 'True', '{"a":True}', 'grammar'), ('undefined', 'undefined', '{"a":undefined}', 'grammar'), ('nul-after', 'a NUL after it', '{}\u0000', 'grammar'), ('cut', 'cut off', '{"a":[1,2', 'grammar'), ('missing-colon', 'no colon', '{"a" 1}', 'grammar'), ('underscore', 'digit separators', '{"a":1_000}', 'grammar')]
    for name, note, text, flag in bad:
        canon('bad-' + name, note, text, [flag], refused=True)
    return {'group': 'canonical', 'parties': ['node', 'python', 'php', 'hub'], 'flags': FLAGS, 'cases': cases}
