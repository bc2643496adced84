<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Writes PHP values as ECMAScript's JSON.stringify does, whatever the ini values are; members sorted or in their own order. */
final class JsonWriter
{
    private const ESCAPES = [
        '"' => '\\"', '\\' => '\\\\', "\x08" => '\\b', "\x0c" => '\\f', "\n" => '\\n', "\r" => '\\r', "\t" => '\\t',
    ];

    /** @var bool */
    private $sort;

    private function __construct(bool $sort)
    {
        $this->sort = $sort;
    }

    /**
     * Canonical JSON: members sorted by UTF-16 code unit.
     *
     * @param mixed $value
     * @throws RefusedInput with reason invalid_arguments
     */
    public static function sorted($value): string
    {
        return (new self(true))->write($value, 1);
    }

    /**
     * Compact JSON with members in their own order.
     *
     * @param mixed $value
     * @throws RefusedInput with reason invalid_arguments
     */
    public static function compact($value): string
    {
        return (new self(false))->write($value, 1);
    }

    /** A string as ECMAScript's JSON.stringify writes it: non-ASCII and `/` as they are, control characters escaped. */
    public static function quote(string $text): string
    {
        if (preg_match('//u', $text) !== 1) {
            throw new RefusedInput('invalid_arguments', 'A string is not valid UTF-8 and cannot be written as JSON.');
        }
        $escaped = strtr($text, self::ESCAPES);
        return '"' . preg_replace_callback('/[\x00-\x1f]/', function (array $found): string {
            return sprintf('\\u%04x', ord($found[0]));
        }, $escaped) . '"';
    }

    /** Order of two UTF-8 keys by UTF-16 code unit: U+1F600 sorts before U+FF5E. */
    public static function compareKeys(string $left, string $right): int
    {
        // the length of the common start: equal bytes are NUL after XOR, which ends with the shorter text
        $same = strspn($left ^ $right, "\0");
        if ($same === min(strlen($left), strlen($right))) {
            return strlen($left) <=> strlen($right);
        }
        return self::weight(ord($left[$same])) <=> self::weight(ord($right[$same]));
    }

    /** Lead bytes of four-byte characters are surrogates in UTF-16 (0xD8..), below the leads 0xEE and 0xEF (U+E000 and up). */
    private static function weight(int $byte): int
    {
        if ($byte >= 0xf0) {
            return $byte;
        }
        return $byte >= 0xee ? $byte + 0x100 : $byte;
    }

    /** @param mixed $value */
    private function write($value, int $depth): string
    {
        if ($depth > JsonText::MAX_DEPTH && !is_scalar($value) && $value !== null) {
            throw new RefusedInput('invalid_arguments', 'The value is nested deeper than ' . JsonText::MAX_DEPTH . ' levels.');
        }
        if ($value instanceof \JsonSerializable) {
            return $this->write($value->jsonSerialize(), $depth + 1);
        }
        if ($value instanceof \stdClass || $value instanceof \ArrayObject) {
            return $this->writeObject($value instanceof \ArrayObject ? $value->getArrayCopy() : get_object_vars($value), $depth);
        }
        if (is_array($value)) {
            $isList = $value === [] || array_keys($value) === range(0, count($value) - 1);
            return $isList ? $this->writeList($value, $depth) : $this->writeObject($value, $depth);
        }
        return $this->writeScalar($value);
    }

    /** @param mixed $value */
    private function writeScalar($value): string
    {
        if (is_string($value)) {
            return self::quote($value);
        }
        if (is_int($value) || is_float($value)) {
            return EsNumber::write((float) $value) ?? 'null';
        }
        if (is_bool($value)) {
            return $value ? 'true' : 'false';
        }
        if ($value === null) {
            return 'null';
        }
        throw new RefusedInput('invalid_arguments', 'A value of type ' . gettype($value) . ' has no JSON form.');
    }

    /** @param array<int,mixed> $list */
    private function writeList(array $list, int $depth): string
    {
        $parts = [];
        foreach ($list as $element) {
            $parts[] = $this->write($element, $depth + 1);
        }
        return '[' . implode(',', $parts) . ']';
    }

    /** @param array<int|string,mixed> $members */
    private function writeObject(array $members, int $depth): string
    {
        $keys = array_map('strval', array_keys($members));
        if ($this->sort) {
            usort($keys, [self::class, 'compareKeys']);
        }
        $parts = [];
        foreach ($keys as $key) {
            $parts[] = self::quote($key) . ':' . $this->write($members[$key], $depth + 1);
        }
        return '{' . implode(',', $parts) . '}';
    }
}
