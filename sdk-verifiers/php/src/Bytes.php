<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Turns whatever a caller hands in into bytes without ever throwing or warning. */
final class Bytes
{
    /** White space as SIGNING 41 lists it: ECMAScript's trim, not PHP's. */
    private const BLANK = '[\x09-\x0d\x20\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]';

    /**
     * @param mixed $value a text, an integer, null (no bytes), or an object with __toString such as a PSR-7 stream
     * @return string|null null when there is no honest byte form, e.g. for an array that was parsed from a body
     */
    public static function of($value): ?string
    {
        if (is_string($value)) {
            return $value;
        }
        if ($value === null) {
            return '';
        }
        if (is_int($value)) {
            return (string) $value;
        }
        if (is_object($value) && method_exists($value, '__toString')) {
            try {
                // called as a method: before PHP 7.4 an exception inside a (string) cast ends the whole process
                $text = $value->__toString();
                return is_string($text) ? $text : null;
            } catch (\Throwable $problem) {
                return null;
            }
        }
        return null;
    }

    public static function isUtf8(string $bytes): bool
    {
        return preg_match('//u', $bytes) === 1;
    }

    /** a to z only: strtoupper follows the locale before PHP 8.2. */
    public static function upper(string $text): string
    {
        return strtr($text, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    }

    /** A to Z only. */
    public static function lower(string $text): string
    {
        return strtr($text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
    }

    /** Without white space (SIGNING 41) around it; null when the text is not UTF-8. */
    public static function trim(string $text): ?string
    {
        return preg_replace('/^' . self::BLANK . '++|' . self::BLANK . '++\z/u', '', $text);
    }
}
