<?php

declare(strict_types=1);

use Bailing\Connect\Canonical;
use Bailing\Connect\EsNumber;

test('numbers are written as an ECMAScript engine writes them', function (): void {
    $wanted = [
        '0' => 0.0, '-1' => -1.0, '0.1' => 0.1, '0.30000000000000004' => 0.1 + 0.2, '9.5' => 9.5, '100' => 100.0, '123456789012345680000' => 123456789012345680000.0,
        '1e+21' => 1e21, '1.5e+300' => 1.5e300, '1e-7' => 1e-7, '0.000001' => 1e-6, '0.0000015' => 1.5e-6, '5e-324' => 5e-324,
        '1.7976931348623157e+308' => 1.7976931348623157e308, '2.2250738585072014e-308' => 2.2250738585072014e-308, '9007199254740992' => 9007199254740993.0,
        '5.684341886080802e-14' => 2.0 ** -44, '12345678901234567000' => 12345678901234567890.0, '100000000000000000000' => 1e20, '-0.00001' => -1e-5,
    ];
    foreach ($wanted as $text => $value) {
        same((string) $text, EsNumber::write($value));
    }
    same('0', EsNumber::write(-0.0));
    same(null, EsNumber::write(NAN));
    same(null, EsNumber::write(-INF));
});

test('every written double reads back as the same double, whatever serialize_precision says', function (): void {
    $before = ini_set('serialize_precision', '5');
    mt_srand(20260101);
    for ($i = 0; $i < 3000; $i++) {
        $bits = pack('N2', mt_rand(0, 0xffffffff), mt_rand(0, 0xffffffff));
        $value = unpack('E', $bits)[1];
        if (is_finite($value)) {
            $text = (string) EsNumber::write($value);
            same($value, (float) $text, bin2hex($bits));
            holds(preg_match('/^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?(e[+-][1-9][0-9]*)?\z/', $text) === 1, $text . ' is not in ECMAScript form');
        }
    }
    ini_set('serialize_precision', (string) $before);
});

test('no shorter text than the written one reads back as the same double', function (): void {
    $before = ini_set('serialize_precision', '-1');
    mt_srand(7);
    for ($i = 0; $i < 2000; $i++) {
        $value = mt_rand(1, mt_getrandmax()) * 10.0 ** mt_rand(-20, 20) / mt_rand(1, 1000);
        $own = preg_replace('/e.*|[^0-9]/', '', (string) EsNumber::write($value));
        $php = preg_replace('/e.*|[^0-9]/i', '', (string) json_encode($value));
        same(trim($php, '0'), trim((string) $own, '0'));
    }
    ini_set('serialize_precision', (string) $before);
});

test('PHP integers are written as the double they become', function (): void {
    same('[9007199254740992,-9007199254740992,9223372036854776000,1]', Canonical::json([9007199254740993, -9007199254740993, PHP_INT_MAX, 1]));
});
