<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Writes an IEEE double as ECMAScript's JSON does (WIRE §7.1): shortest digits that read back the same, `1e+21`, `1e-7`, `0` for -0.
 *
 * PHP's own writer follows the ini value serialize_precision, which a server may have changed, so it is not used here.
 */
final class EsNumber
{
    /** 2^53: below it every integral double is an exact integer. */
    private const EXACT = 9007199254740992.0;

    /** @return string|null null for NaN and the infinities, which JSON has no form for */
    public static function write(float $value): ?string
    {
        if (!is_finite($value)) {
            return null;
        }
        if ($value === 0.0) {
            return '0';
        }
        if (abs($value) < self::EXACT && floor($value) === $value && PHP_INT_SIZE >= 8) {
            return (string) (int) $value;
        }
        list($digits, $exponent) = self::shortest(abs($value));
        return ($value < 0 ? '-' : '') . self::layOut($digits, $exponent);
    }

    /** @return array{0: string, 1: int} significant digits without trailing zeros, and the power of ten of the first digit */
    private static function shortest(float $value): array
    {
        for ($precision = 0; $precision < 17; $precision++) {
            // 'e' writes the locale's decimal sign, so only the digits are taken from it
            $text = sprintf('%.' . $precision . 'e', $value);
            $at = (int) strpos($text, 'e');
            $digits = (string) preg_replace('/[^0-9]/', '', substr($text, 0, $at));
            $exponent = (int) substr($text, $at + 1);
            if (self::read($digits, $exponent) === $value) {
                return [rtrim($digits, '0'), $exponent];
            }
            // at a power of two the gap above is wider than the gap below: the next digit up may read back where the nearest does not
            list($nextDigits, $nextExponent) = self::nextUp($digits, $exponent);
            if (self::read($nextDigits, $nextExponent) === $value) {
                return [rtrim($nextDigits, '0'), $nextExponent];
            }
        }
        return [rtrim($digits, '0'), $exponent];
    }

    private static function read(string $digits, int $exponent): float
    {
        return (float) (substr($digits, 0, 1) . '.' . substr($digits . '0', 1) . 'e' . $exponent);
    }

    /** @return array{0: string, 1: int} */
    private static function nextUp(string $digits, int $exponent): array
    {
        for ($i = strlen($digits) - 1; $i >= 0; $i--) {
            if ($digits[$i] !== '9') {
                $digits[$i] = (string) ((int) $digits[$i] + 1);
                return [$digits, $exponent];
            }
            $digits[$i] = '0';
        }
        return ['1' . substr($digits, 0, -1), $exponent + 1];
    }

    /** The layout rules of ECMAScript's Number::toString for radix 10. */
    private static function layOut(string $digits, int $exponent): string
    {
        $count = strlen($digits);
        $point = $exponent + 1;
        if ($count <= $point && $point <= 21) {
            return $digits . str_repeat('0', $point - $count);
        }
        if ($point > 0 && $point <= 21) {
            return substr($digits, 0, $point) . '.' . substr($digits, $point);
        }
        if ($point > -6 && $point <= 0) {
            return '0.' . str_repeat('0', -$point) . $digits;
        }
        $head = $count === 1 ? $digits : $digits[0] . '.' . substr($digits, 1);
        return $head . 'e' . ($exponent < 0 ? '-' : '+') . abs($exponent);
    }
}
