<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Canonical JSON, args_hash and the idempotency key of WIRE §7, the same bytes in every language.
 *
 * PHP values: a list is `[...]`, any other array, an ArrayObject or a stdClass is `{...}`; PHP's empty array is `[]`, an empty
 * object is `new \stdClass()`. Integers are written as the IEEE double they become in JSON.
 */
final class Canonical
{
    /**
     * Canonical form of a PHP value.
     *
     * @param mixed $value
     * @throws RefusedInput with reason invalid_arguments
     */
    public static function json($value): string
    {
        return JsonWriter::sorted($value);
    }

    /** Canonical form of a JSON text; `{}` and `[]` stay what they are. Throws RefusedInput when the text is not JSON. */
    public static function jsonOfText(string $text): string
    {
        return JsonWriter::sorted(JsonText::read($text));
    }

    /**
     * args_hash of call arguments: 64 lowercase hex. Absent arguments (null, or PHP's empty array) are `{}`.
     *
     * @param mixed $args
     * @throws RefusedInput with reason invalid_arguments, also when the arguments are a list or a scalar
     */
    public static function argsHash($args): string
    {
        $text = $args === null || $args === [] ? '{}' : self::json($args);
        return hash('sha256', self::mustBeObject($text));
    }

    /** Canonical form of arguments given as JSON text. Throws RefusedInput unless it is a JSON object. */
    public static function argumentsOfText(string $text): string
    {
        return self::mustBeObject(self::jsonOfText($text));
    }

    /** args_hash of arguments given as JSON text, e.g. the raw body of a call. */
    public static function argsHashOfText(string $text): string
    {
        return hash('sha256', self::argumentsOfText($text));
    }

    /** The idempotency key of WIRE §7.1 (4): 64 lowercase hex over tool, job, subject and args_hash. */
    public static function idempotencyKey(string $tool, string $jobId, string $onBehalfOf, string $argsHash): string
    {
        $material = ['args_hash' => $argsHash, 'job_id' => $jobId, 'on_behalf_of' => $onBehalfOf, 'tool' => $tool];
        return hash('sha256', self::json($material));
    }

    private static function mustBeObject(string $canonical): string
    {
        if ($canonical[0] !== '{') {
            throw new RefusedInput('invalid_arguments', 'Arguments must be a JSON object.');
        }
        return $canonical;
    }
}
