<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Reads JSON text strictly and keeps what json_decode loses: `{}` is an ArrayObject and `[]` a list, any key is allowed
 * ("10", "" and one that starts with NUL too), an integer that fits is an int and any other number a double, a lone surrogate
 * is refused, and so is text that nests deeper than 100 levels (SIGNING 42, 45).
 */
final class JsonText
{
    public const MAX_DEPTH = 100;

    /** Every byte that ends a plain run inside a string: quote, backslash, control characters. */
    private const STOPS = "\"\\\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
        . "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f";

    private const ESCAPES = ['"' => '"', '\\' => '\\', '/' => '/', 'b' => "\x08", 'f' => "\x0c", 'n' => "\n", 'r' => "\r", 't' => "\t"];

    /** @var string */
    private $text;

    /** @var int */
    private $at = 0;

    private function __construct(string $text)
    {
        $this->text = $text;
    }

    /**
     * @return \ArrayObject<string,mixed>|array<int,mixed>|string|int|float|bool|null
     * @throws RefusedInput with reason invalid_arguments; the message says what is wrong and where
     */
    public static function read(string $text)
    {
        if (preg_match('//u', $text) !== 1) {
            throw new RefusedInput('invalid_arguments', 'The JSON text is not valid UTF-8.');
        }
        $reader = new self($text);
        $value = $reader->value(1);
        $reader->blanks();
        if ($reader->at !== strlen($text)) {
            throw $reader->bad('text after the value');
        }
        return $value;
    }

    /**
     * JSON objects become arrays, except those an array cannot tell from a list (`{}`, `{"0":…}`): they stay ArrayObject,
     * which is read with [] as well.
     *
     * @param mixed $value
     * @return mixed
     */
    public static function plain($value)
    {
        if (is_array($value)) {
            return array_map([self::class, 'plain'], $value);
        }
        if (!$value instanceof \ArrayObject) {
            return $value;
        }
        $members = array_map([self::class, 'plain'], $value->getArrayCopy());
        $looksLikeList = array_keys($members) === array_keys(array_values($members));
        return $looksLikeList ? new \ArrayObject($members) : $members;
    }

    /** @return mixed */
    private function value(int $depth)
    {
        $this->blanks();
        $first = $this->text[$this->at] ?? '';
        if ($first === '{' || $first === '[') {
            if ($depth > self::MAX_DEPTH) {
                throw new RefusedInput('invalid_arguments', 'The JSON text is nested deeper than ' . self::MAX_DEPTH . ' levels.');
            }
            return $first === '{' ? $this->members($depth) : $this->elements($depth);
        }
        if ($first === '"') {
            return $this->string();
        }
        foreach (['true' => true, 'false' => false, 'null' => null] as $word => $value) {
            if (substr_compare($this->text, $word, $this->at, strlen($word)) === 0) {
                $this->at += strlen($word);
                return $value;
            }
        }
        return $this->number();
    }

    /** @return \ArrayObject<string,mixed> */
    private function members(int $depth): \ArrayObject
    {
        $this->at++;
        $members = new \ArrayObject();
        $this->blanks();
        if ($this->took('}')) {
            return $members;
        }
        do {
            $this->blanks();
            if (($this->text[$this->at] ?? '') !== '"') {
                throw $this->bad('a key in quotes was expected');
            }
            $key = $this->string();
            $this->blanks();
            if (!$this->took(':')) {
                throw $this->bad('a colon was expected');
            }
            $members[$key] = $this->value($depth + 1);
            $this->blanks();
        } while ($this->took(','));
        if (!$this->took('}')) {
            throw $this->bad('a comma or } was expected');
        }
        return $members;
    }

    /** @return array<int,mixed> */
    private function elements(int $depth): array
    {
        $this->at++;
        $elements = [];
        $this->blanks();
        if ($this->took(']')) {
            return $elements;
        }
        do {
            $elements[] = $this->value($depth + 1);
            $this->blanks();
        } while ($this->took(','));
        if (!$this->took(']')) {
            throw $this->bad('a comma or ] was expected');
        }
        return $elements;
    }

    /** @return int|float */
    private function number()
    {
        if (preg_match('/\G-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?/', $this->text, $found, 0, $this->at) !== 1) {
            throw $this->bad('a value was expected');
        }
        $this->at += strlen($found[0]);
        $isInteger = strspn($found[0], '-0123456789') === strlen($found[0]);
        return $isInteger && is_int($found[0] + 0) ? (int) $found[0] : (float) $found[0];
    }

    private function string(): string
    {
        $this->at++;
        $out = '';
        while (true) {
            $run = strcspn($this->text, self::STOPS, $this->at);
            $out .= substr($this->text, $this->at, $run);
            $this->at += $run;
            $stop = $this->text[$this->at] ?? '';
            $this->at++;
            if ($stop === '"') {
                return $out;
            }
            if ($stop !== '\\') {
                throw $this->bad('a string is not closed, or holds a raw control character');
            }
            $out .= $this->escape();
        }
    }

    private function escape(): string
    {
        $letter = $this->text[$this->at] ?? '';
        $this->at++;
        if (isset(self::ESCAPES[$letter])) {
            return self::ESCAPES[$letter];
        }
        if ($letter !== 'u') {
            throw $this->bad('an unknown escape');
        }
        $unit = $this->codeUnit();
        if ($unit < 0xd800 || $unit > 0xdfff) {
            return self::utf8($unit);
        }
        if ($unit < 0xdc00 && substr($this->text, $this->at, 2) === '\\u') {
            $this->at += 2;
            $low = $this->codeUnit();
            if ($low >= 0xdc00 && $low <= 0xdfff) {
                return self::utf8(0x10000 + (($unit - 0xd800) << 10) + ($low - 0xdc00));
            }
        }
        throw new RefusedInput('invalid_arguments', 'The JSON text holds half of a surrogate pair, which no UTF-8 text can carry.');
    }

    private function codeUnit(): int
    {
        $hex = substr($this->text, $this->at, 4);
        if (preg_match('/^[0-9a-fA-F]{4}\z/', $hex) !== 1) {
            throw $this->bad('four hex digits were expected');
        }
        $this->at += 4;
        return (int) hexdec($hex);
    }

    private static function utf8(int $point): string
    {
        if ($point < 0x80) {
            return chr($point);
        }
        if ($point < 0x800) {
            return chr(0xc0 | $point >> 6) . chr(0x80 | $point & 0x3f);
        }
        if ($point < 0x10000) {
            return chr(0xe0 | $point >> 12) . chr(0x80 | $point >> 6 & 0x3f) . chr(0x80 | $point & 0x3f);
        }
        return chr(0xf0 | $point >> 18) . chr(0x80 | $point >> 12 & 0x3f) . chr(0x80 | $point >> 6 & 0x3f) . chr(0x80 | $point & 0x3f);
    }

    private function blanks(): void
    {
        $this->at += strspn($this->text, " \t\n\r", $this->at);
    }

    private function took(string $sign): bool
    {
        if (($this->text[$this->at] ?? '') !== $sign) {
            return false;
        }
        $this->at++;
        return true;
    }

    private function bad(string $what): RefusedInput
    {
        return new RefusedInput('invalid_arguments', 'The text is not JSON: ' . $what . ' at byte ' . $this->at . '.');
    }
}
