<?php

declare(strict_types=1);

use Bailing\Connect\Canonical;
use Bailing\Connect\JsonText;
use Bailing\Connect\JsonWriter;

test('the worked examples of the contract come out byte for byte', function (): void {
    same('31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655', Canonical::argsHash(
        ['order_no' => 'A-1001', 'amount' => 300, 'meta' => ['z' => 1, 'a' => [true, null, 'é']], 'price' => 9.5]
    ));
    same('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', Canonical::argsHash([]));
    same('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', Canonical::argsHash(null));
    $job = '11111111-2222-4333-8444-555555555555';
    $hash = Canonical::argsHashOfText('{"order_no":"A-1001","amount":300,"meta":{"z":1,"a":[true,null,"é"]},"price":9.5}');
    same('2a3282191eb5a3ec622162a5c4a9e914a901f8da23e5fa7c164993389adfe75d', Canonical::idempotencyKey('refund_order', $job, '179:1', $hash));
    same('53c9a983c95438501de08b21f83ba2922de73ca9c1824654611793be9655b8b9', Canonical::idempotencyKey('goods_list', $job, '', Canonical::argsHash([])));
    $keys = '{"b":1,"a":2,"A":3,"10":4,"9":5,"é":6,"":7,"😀":8,"～":9}';
    same('{"":7,"10":4,"9":5,"A":3,"a":2,"b":1,"é":6,"😀":8,"～":9}', Canonical::jsonOfText($keys));
    same('34a0762c66b4b1cdc74f57c36e3749aff2bb12d3c8bd2aa6f817147f3221c409', Canonical::argsHashOfText($keys));
});

test('keys are ordered by UTF-16 code unit, as sorting their UTF-16BE bytes does', function (): void {
    mt_srand(11);
    $pool = ['', 'a', 'A', 'z', '9', '10', "\0", 'é', "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{fffd}", "\u{ffff}", "\u{10000}", "\u{10ffff}", '😀', '～'];
    for ($i = 0; $i < 3000; $i++) {
        $left = $pool[mt_rand(0, 17)] . $pool[mt_rand(0, 17)] . $pool[mt_rand(0, 17)];
        $right = $pool[mt_rand(0, 17)] . $pool[mt_rand(0, 17)] . $pool[mt_rand(0, 17)];
        $utf16 = strcmp(utf16($left), utf16($right));
        same($utf16 <=> 0, JsonWriter::compareKeys($left, $right) <=> 0, bin2hex($left) . ' and ' . bin2hex($right));
    }
});

/** UTF-16BE of a UTF-8 text by way of json_encode's escapes. */
function utf16(string $text): string
{
    $escaped = substr((string) json_encode($text, JSON_UNESCAPED_SLASHES), 1, -1);
    return (string) preg_replace_callback('/\\\\u([0-9a-f]{4})|\\\\(.)|(.)/s', function (array $found): string {
        $controls = ['b' => "\x08", 'f' => "\x0c", 'n' => "\n", 'r' => "\r", 't' => "\t"];
        $found += [1 => '', 2 => '', 3 => ''];
        $plain = $found[3] !== '' ? $found[3] : ($controls[$found[2]] ?? $found[2]);
        return $found[1] !== '' ? (string) hex2bin($found[1]) : "\0" . $plain;
    }, $escaped);
}

test('empty objects and empty lists stay apart, from text and from PHP values', function (): void {
    same('{"a":{},"b":[],"c":[{}]}', Canonical::jsonOfText(' { "c" : [ {} ], "b" : [ ] , "a":{ } } '));
    same('{"a":{},"b":[]}', Canonical::json(['b' => [], 'a' => new stdClass()]));
    same('{"0":"x"}', Canonical::jsonOfText('{"0":"x"}'));
    same('["x"]', Canonical::json(['x']));
    same('{"1":"x"}', Canonical::json([1 => 'x']));
});

test('a plain PHP value keeps what an array cannot say', function (): void {
    $plain = JsonText::plain(JsonText::read('{"a":{"b":{}},"c":[],"d":{"0":1}}'));
    same('1', JsonWriter::sorted($plain['d']['0']));
    same(null, $plain['a']['b']['missing'] ?? null);
    same('{"a":{"b":{}},"c":[],"d":{"0":1}}', JsonWriter::sorted($plain));
});

test('text that is not JSON is refused', function (): void {
    $texts = [
        '', ' ', '{', '[', '{]', '[1,]', '{"a":1,}', '{a:1}', "{'a':1}", '01', '1.', '.5', '+1', '-', '1e', '0x10', 'NaN', 'Infinity', 'nul', 'True', '1 2', '{"a":1}x',
        "\"\x01\"", "\"\n\"", '"\x"', '"\u12"', '"\u12g4"', '"a', '/**/1', "\xef\xbb\xbf{}", "{\"a\":\"\xff\"}", "\xc0\x80", "{\"a\":\"\xed\xa0\x80\"}", '"\ud800"', '"\udc00"',
        '"\ud800\ud800"', '{"\ud800":1}', '"\ud83d\u0041"', ',', ':', '[,1]', '{"a"}', '{"a":}', "\0", '--1', '1e+', '1E5.5',
    ];
    foreach ($texts as $text) {
        same('invalid_arguments', refusal(function () use ($text): void {
            Canonical::jsonOfText($text);
        }), bin2hex($text));
    }
    same('invalid_arguments', refusal(function (): void {
        Canonical::argsHashOfText('[1]');
    }));
    same('invalid_arguments', refusal(function (): void {
        Canonical::argsHash("caf\xe9");
    }));
});

test('nesting up to 100 levels is read and written, one more is refused', function (): void {
    foreach ([['[', ']', ''], ['{"a":', '}', '1']] as list($open, $close, $middle)) {
        $deep = str_repeat($open, 100) . $middle . str_repeat($close, 100);
        same($deep, Canonical::jsonOfText($deep));
        same('invalid_arguments', refusal(function () use ($open, $close, $middle): void {
            Canonical::jsonOfText(str_repeat($open, 101) . $middle . str_repeat($close, 101));
        }));
    }
    $loop = new ArrayObject();
    $loop['self'] = $loop;
    same('invalid_arguments', refusal(function () use ($loop): void {
        Canonical::json($loop);
    }));
    same('invalid_arguments', refusal(function (): void {
        JsonText::read(str_repeat('[', 2000000));
    }));
});

test('strings are escaped as JSON.stringify does and nothing more', function (): void {
    $text = "\"\\/\x08\x0c\n\r\t\x00\x1f\x7f é \u{2028}\u{2029} 😀";
    same('"\"\\\\/\b\f\n\r\t\u0000\u001f' . "\x7f é \u{2028}\u{2029} 😀\"", JsonWriter::quote($text));
    same($text, JsonText::read(JsonWriter::quote($text)));
});

test('what json_decode reads, this reader reads the same', function (): void {
    mt_srand(3);
    for ($i = 0; $i < 400; $i++) {
        $value = randomValue(4);
        $text = (string) json_encode($value, mt_rand(0, 1) ? 0 : JSON_UNESCAPED_UNICODE | JSON_PRETTY_PRINT);
        same(Canonical::json(json_decode($text)), Canonical::jsonOfText($text), $text);
    }
});

function randomValue(int $depth)
{
    $kind = mt_rand(0, $depth > 0 ? 7 : 5);
    if ($kind < 6) {
        return [null, true, mt_rand(-100000, 100000), mt_rand() / 977, "t\u{e9}\u{1f600}\n\"" . mt_rand(), '' . mt_rand()][$kind];
    }
    $out = [];
    for ($i = mt_rand(0, 4); $i > 0; $i--) {
        $out['k' . mt_rand(0, 99)] = randomValue($depth - 1);
    }
    return $kind === 6 ? array_values($out) : (object) $out;
}
