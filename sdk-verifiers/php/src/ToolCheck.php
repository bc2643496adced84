<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Refuses tool descriptions that the hub would not expose, with the codes of vectors/README.md, the first that applies. */
final class ToolCheck
{
    private const RESERVED = ['send_message', 'find_tools', 'search_tools', 'see_image'];
    private const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

    /** In the order they are tested. */
    private const RULES = [
        'invalid_name' => 'a name is 1 to 64 letters, digits and underscores and does not start with a digit',
        'reserved_name' => 'the hub has a tool of its own with this name, choose another',
        'invalid_method' => 'the method is one of GET, POST, PUT, PATCH, DELETE',
        'invalid_path' => 'the path starts with / and is printable ASCII without space, ? and #',
        'missing_scope' => 'a scope is needed, such as order.refund',
        'missing_description' => 'a description is needed, it is all the model knows of the tool',
        'invalid_risk' => 'risk is low, medium or high',
        'invalid_rate_limit' => 'a rate limit is like 30/min, 600/hour, 10/s, 1000/day',
        'invalid_timeout' => 'a timeout is whole milliseconds, at most 600000',
    ];

    /**
     * The description with method and name filled in.
     *
     * @param array<string,mixed> $tool
     * @return array<string,mixed>
     * @throws RefusedInput
     */
    public static function completed(array $tool): array
    {
        $tool['name'] = self::nameOf($tool);
        $tool['method'] = $tool['method'] ?? 'POST';
        foreach (self::RULES as $code => $rule) {
            self::must(self::holds($code, $tool), $code, $tool, $rule);
        }
        $tool['method'] = Bytes::upper($tool['method']);
        $tool['scope'] = (string) Bytes::trim($tool['scope']);
        $tool['params'] = ToolParams::completed($tool);
        return $tool;
    }

    /** @param array<string,mixed> $tool */
    public static function nameOf(array $tool): string
    {
        if (isset($tool['name']) && $tool['name'] !== '') {
            return is_string($tool['name']) ? $tool['name'] : '';
        }
        $method = is_string($tool['method'] ?? null) ? $tool['method'] : 'POST';
        $path = is_string($tool['path'] ?? null) ? $tool['path'] : '';
        $slug = preg_replace('/[^A-Za-z0-9]+/', '_', Bytes::lower($method) . '_' . $path);
        return substr(trim((string) $slug, '_'), 0, 64);
    }

    /** @param array<string,mixed> $tool */
    public static function must(bool $holds, string $code, array $tool, string $rule): void
    {
        if (!$holds) {
            $name = is_string($tool['name'] ?? null) ? $tool['name'] : '';
            throw new RefusedInput($code, 'The tool "' . $name . '" cannot be declared: ' . $rule . ' (' . $code . ').');
        }
    }

    /** @param array<string,mixed> $tool */
    private static function holds(string $code, array $tool): bool
    {
        switch ($code) {
            case 'invalid_name':
                return preg_match('/^[A-Za-z_][A-Za-z0-9_]{0,63}\z/', $tool['name']) === 1;
            case 'reserved_name':
                return !in_array($tool['name'], self::RESERVED, true);
            case 'invalid_method':
                return is_string($tool['method']) && in_array(Bytes::upper($tool['method']), self::METHODS, true);
            case 'invalid_path':
                return is_string($tool['path'] ?? null) && preg_match('~^/(?:(?![?#])[\x21-\x7e])*+\z~', $tool['path']) === 1;
            case 'missing_scope':
                return self::says($tool['scope'] ?? null);
            case 'missing_description':
                return self::says($tool['description'] ?? null);
            case 'invalid_risk':
                return empty($tool['risk']) || in_array($tool['risk'], ['low', 'medium', 'high'], true);
            case 'invalid_rate_limit':
                return empty($tool['rateLimit']) || RateText::parse($tool['rateLimit']) !== null;
            default:
                $timeout = $tool['timeoutMs'] ?? 0;
                return is_int($timeout) && $timeout >= 0 && $timeout <= 600000;
        }
    }

    /** @param mixed $text */
    private static function says($text): bool
    {
        return is_string($text) && !in_array(Bytes::trim($text), [null, ''], true);
    }
}
