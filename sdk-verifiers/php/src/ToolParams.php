<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Parameters of a tool: where they go, whether they may, and what they look like in OpenAPI. */
final class ToolParams
{
    private const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
    private const PLACES = ['query', 'path', 'header', 'body'];
    private const FORBIDDEN_HEADERS = '/^(x-bailing-.*|host|content-length|content-type|authorization)\z/is';

    /**
     * The parameters with type and place filled in, checked.
     *
     * @param array<string,mixed> $tool
     * @return array<int,array<string,mixed>>
     * @throws RefusedInput invalid_param, duplicate_param or path_param_mismatch
     */
    public static function completed(array $tool): array
    {
        preg_match_all('/\{([^{}]+)\}/', $tool['path'], $found);
        $inPath = $found[1];
        $params = [];
        $names = [];
        $isGet = $tool['method'] === 'GET';
        foreach ($tool['params'] ?? [] as $param) {
            $param = self::filled($param, $inPath, $isGet);
            ToolCheck::must(self::holds($param, $isGet), 'invalid_param', $tool, self::rule($param));
            $params[] = $param;
            $names[] = $param['name'];
        }
        ToolCheck::must(count(array_unique($names)) === count($names), 'duplicate_param', $tool, 'a parameter is declared twice');
        $declared = array_column(array_filter($params, function (array $param): bool {
            return $param['in'] === 'path';
        }), 'name');
        $agrees = array_diff($inPath, $declared) === [] && array_diff($declared, $inPath) === [];
        ToolCheck::must($agrees, 'path_param_mismatch', $tool, 'every {name} in the path needs a path parameter, and the other way round');
        return $params;
    }

    /**
     * @param array<string,mixed> $tool completed
     * @return array{0:array<int,array<string,mixed>>,1:array<string,mixed>|null} parameters and requestBody
     */
    public static function render(array $tool): array
    {
        $parameters = [];
        $properties = new \ArrayObject();
        $required = [];
        foreach ($tool['params'] as $param) {
            $isRequired = ($param['required'] ?? false) === true;
            $says = SpecDocument::kept(['description' => $param['description'] ?? null]);
            if ($param['in'] !== 'body') {
                $parameters[] = ['name' => $param['name'], 'in' => $param['in'], 'required' => $isRequired || $param['in'] === 'path']
                    + $says + ['schema' => self::schema($param)];
                continue;
            }
            $schema = self::schema($param);
            $properties[$param['name']] = $schema instanceof \ArrayObject
                ? new \ArrayObject($says + $schema->getArrayCopy())
                : $says + $schema;
            if ($isRequired) {
                $required[] = $param['name'];
            }
        }
        if ($tool['method'] === 'GET') {
            return [$parameters, null];
        }
        $schema = ['type' => 'object', 'properties' => $properties] + SpecDocument::kept(['required' => $required]);
        return [$parameters, ['required' => true, 'content' => ['application/json' => ['schema' => $schema]]]];
    }

    /**
     * @param mixed $param
     * @param array<int,string> $inPath
     * @return array<string,mixed>
     */
    private static function filled($param, array $inPath, bool $isGet): array
    {
        $param = is_array($param) ? $param : [];
        $name = is_string($param['name'] ?? null) ? $param['name'] : '';
        $place = in_array($name, $inPath, true) ? 'path' : ($isGet ? 'query' : 'body');
        return ['name' => $name, 'in' => self::given($param['in'] ?? null) ?? $place, 'type' => self::given($param['type'] ?? null) ?? 'string'] + $param;
    }

    /**
     * @param mixed $value
     * @return mixed
     */
    private static function given($value)
    {
        return $value === '' ? null : $value;
    }

    /** @param array<string,mixed> $param */
    private static function holds(array $param, bool $isGet): bool
    {
        return !in_array(Bytes::trim($param['name']), [null, ''], true)
            && in_array($param['type'], self::TYPES, true)
            && in_array($param['in'], self::PLACES, true)
            && !($isGet && $param['in'] === 'body')
            && !($param['in'] === 'header' && preg_match(self::FORBIDDEN_HEADERS, $param['name']) === 1);
    }

    /** @param array<string,mixed> $param */
    private static function rule(array $param): string
    {
        return 'the parameter ' . ($param['name'] === '' ? 'without a name' : $param['name'])
            . ' needs a name, a type of ' . implode(', ', self::TYPES) . ', a place of ' . implode(', ', self::PLACES)
            . ' (no body on GET), and may not be a header of the hub or of HTTP itself';
    }

    /**
     * @param array<string,mixed> $param
     * @return array<string,mixed>|\ArrayObject<string,mixed>
     */
    private static function schema(array $param)
    {
        if (isset($param['schema'])) {
            return $param['schema'] === [] ? new \ArrayObject() : $param['schema'];
        }
        $schema = ['type' => $param['type']] + SpecDocument::kept(['enum' => $param['enum'] ?? null, 'items' => $param['items'] ?? null]);
        if (isset($param['default'])) {
            $schema['default'] = $param['default'];
        }
        return $param['type'] === 'array' ? $schema + ['items' => ['type' => 'string']] : $schema;
    }
}
