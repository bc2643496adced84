<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * The parameters of a verified call as the handler will see them (SIGNING 31): query, JSON body and path parameters, no name twice.
 */
final class Params
{
    /**
     * @param array<int|string,mixed> $pathParams decoded values the router found
     * @return array<int|string,mixed>|null null when they cannot be read without doubt
     */
    public static function of(Request $request, array $pathParams = []): ?array
    {
        $query = self::query($request->target());
        $method = Bytes::upper($request->method());
        $body = $method === 'GET' || $method === 'HEAD' ? [] : self::body($request->rawBody());
        if ($query === null || $body === null) {
            return null;
        }
        $params = $body + $query + $pathParams;
        return count($params) === count($body) + count($query) + count($pathParams) ? $params : null;
    }

    /**
     * Decodes the query of a raw target: `+` is a space, a pair without `=` has the value ''.
     *
     * @return array<int|string,string>|null null for a lone `%`, bytes that are not UTF-8, or a name given twice
     */
    public static function query(string $rawTarget): ?array
    {
        $query = explode('?', $rawTarget, 2)[1] ?? '';
        $params = [];
        foreach (explode('&', $query) as $pair) {
            if ($pair === '') {
                continue;
            }
            $halves = explode('=', str_replace('+', ' ', $pair), 2);
            $name = Target::decode($halves[0]);
            $value = Target::decode($halves[1] ?? '');
            if ($name === null || $value === null || array_key_exists($name, $params)) {
                return null;
            }
            $params[$name] = $value;
        }
        return $params;
    }

    /**
     * Members of a JSON object body as PHP values; an empty body has none.
     *
     * @return array<int|string,mixed>|null null for anything but a JSON object in UTF-8
     */
    private static function body(string $rawBody): ?array
    {
        if ($rawBody === '') {
            return [];
        }
        try {
            $object = JsonText::read($rawBody);
        } catch (RefusedInput $problem) {
            return null;
        }
        return $object instanceof \ArrayObject ? array_map([JsonText::class, 'plain'], $object->getArrayCopy()) : null;
    }
}
