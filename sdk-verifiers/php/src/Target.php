<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Gets from the raw request target to the target that was signed, and reads path parameters, without decoding what is verified. */
final class Target
{
    /**
     * The target to verify (SIGNING 6). Without prefix or known path it is the raw target itself.
     *
     * @param string|null $knownPath the path of the tool document, raw; the query of the request is kept
     * @param string|null $basePath the prefix of the provider's base URL, which is sent and not signed
     * @return string|null null when the prefix is not there, or the known path is not a plain path
     */
    public static function signed(string $rawTarget, ?string $knownPath = null, ?string $basePath = null): ?string
    {
        $mark = strpos($rawTarget, '?');
        $path = $mark === false ? $rawTarget : substr($rawTarget, 0, $mark);
        $query = $mark === false ? '' : substr($rawTarget, $mark);
        if ($knownPath !== null && $knownPath !== '') {
            return preg_match('~^/[^?#]*\z~s', $knownPath) === 1 ? $knownPath . $query : null;
        }
        $prefix = rtrim($basePath ?? '', '/');
        if ($prefix === '') {
            return $rawTarget;
        }
        if (strncmp($path, $prefix . '/', strlen($prefix) + 1) !== 0) {
            return null;
        }
        return substr($path, strlen($prefix)) . $query;
    }

    /**
     * Reads the path parameters of a tool document's path such as `/orders/{order_no}/refund` out of a raw target.
     *
     * @return array<string,string>|null decoded values by name; null when the target is another path or a value is not UTF-8
     */
    public static function pathParams(string $template, string $rawTarget, ?string $basePath = null): ?array
    {
        $target = self::signed($rawTarget, null, $basePath);
        if ($target === null) {
            return null;
        }
        $wanted = explode('/', $template);
        $given = explode('/', explode('?', $target, 2)[0]);
        if (count($wanted) !== count($given)) {
            return null;
        }
        $params = [];
        foreach ($wanted as $i => $piece) {
            if (preg_match('/^\{([^{}]+)\}\z/', $piece, $name) !== 1) {
                if ($piece !== $given[$i]) {
                    return null;
                }
                continue;
            }
            $value = self::decode($given[$i]);
            if ($value === null || $value === '') {
                return null;
            }
            $params[$name[1]] = $value;
        }
        return $params;
    }

    /** Percent-decodes; null when a `%` encodes nothing or the bytes are not UTF-8. */
    public static function decode(string $text): ?string
    {
        if (preg_match('/%(?![0-9A-Fa-f]{2})/', $text) === 1) {
            return null;
        }
        $bytes = rawurldecode($text);
        return Bytes::isUtf8($bytes) ? $bytes : null;
    }
}
