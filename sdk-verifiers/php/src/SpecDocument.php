<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Makes an OpenAPI 3.0.0 document from neutral tool descriptions, the arrays that ToolDef::toArray() answers. Their members are those of
 * vectors/README.md: method, path, name, scope, description, risk, requiresSubject, confirm, confirmWhen, confirmPrompt, readonly,
 * idempotent, timeoutMs, rateLimit, sensitive, outcome, whenToUse, returns, examples, context, tags, deprecated, params.
 */
final class SpecDocument
{
    private const PROBE_PATH = '/.well-known/bailing/authz-probe';

    /**
     * @param array<int,array<string,mixed>> $tools
     * @param array<string,mixed>|bool|null $authzProbe true for the default endpoint, or path and method
     * @return array<string,mixed>
     * @throws RefusedInput with the code of the first thing that is wrong
     */
    public static function build(string $title, string $version, array $tools, $authzProbe = null): array
    {
        $paths = new \ArrayObject();
        $names = [];
        foreach ($tools as $tool) {
            $tool = ToolCheck::completed($tool);
            $path = $tool['path'];
            $method = Bytes::lower($tool['method']);
            ToolCheck::must(!isset($names[$tool['name']]), 'duplicate_name', $tool, 'the name is taken by another tool');
            ToolCheck::must(!isset($paths[$path][$method]), 'duplicate_operation', $tool, 'another tool has the same method and path');
            $names[$tool['name']] = true;
            $operations = isset($paths[$path]) ? $paths[$path] : [];
            $operations[$method] = self::operation($tool);
            $paths[$path] = $operations;
        }
        $document = ['openapi' => '3.0.0', 'info' => ['title' => $title, 'version' => $version], 'paths' => $paths];
        return $authzProbe === null || $authzProbe === false ? $document : $document + ['x-bailing-authz-probe' => self::probe($authzProbe)];
    }

    /**
     * @param array<int,array<string,mixed>> $tools
     * @return array<int,array{code:string,tool:string,message:string}>
     */
    public static function warnings(array $tools): array
    {
        $warnings = [];
        foreach ($tools as $tool) {
            $description = is_string($tool['description'] ?? null) ? $tool['description'] : '';
            $first = (string) Bytes::trim(explode('。', $description, 2)[0]);
            if (preg_match('/^.{6}/su', $first) !== 1) {
                $name = ToolCheck::nameOf($tool);
                $message = 'The first sentence of the description of ' . $name . ' is shorter than 6 characters; catalog mode shows only that.';
                $warnings[] = ['code' => 'short_first_sentence', 'tool' => $name, 'message' => $message];
            }
        }
        return $warnings;
    }

    /**
     * @param array<string,mixed> $tool
     * @return array<string,mixed>
     */
    private static function operation(array $tool): array
    {
        list($parameters, $requestBody) = ToolParams::render($tool);
        return self::kept([
            'operationId' => $tool['name'],
            'summary' => $tool['description'],
            'tags' => $tool['tags'] ?? null,
            'deprecated' => ($tool['deprecated'] ?? false) === true,
            'parameters' => $parameters,
            'requestBody' => $requestBody,
            'responses' => ['200' => ['description' => 'OK']],
            'x-agent-capability' => self::capability($tool),
        ]);
    }

    /**
     * @param array<string,mixed> $tool
     * @return array<string,mixed>
     */
    private static function capability(array $tool): array
    {
        $isGet = $tool['method'] === 'GET';
        $outcome = $tool['outcome'] ?? [];
        return ['version' => 1, 'enabled' => true, 'scope' => $tool['scope']] + self::kept([
            'risk' => self::kept(['level' => $tool['risk'] ?? null]),
            'subject' => self::kept(['required' => ($tool['requiresSubject'] ?? false) === true]),
            'approval' => self::kept([
                'required' => ($tool['confirm'] ?? false) === true,
                'when' => $tool['confirmWhen'] ?? null,
                'prompt' => $tool['confirmPrompt'] ?? null,
            ]),
            'execution' => self::kept([
                'readonly' => !$isGet && ($tool['readonly'] ?? false) === true,
                'idempotent' => !$isGet && ($tool['idempotent'] ?? false) === true,
                'timeout_ms' => $tool['timeoutMs'] ?? null,
                'rate_limit' => RateText::parse($tool['rateLimit'] ?? null),
            ]),
            'audit' => self::kept(['sensitive' => ($tool['sensitive'] ?? false) === true]),
            'outcome' => self::kept(['result' => $outcome['result'] ?? null, 'side_effect' => $outcome['sideEffect'] ?? null]),
            'guidance' => self::kept([
                'when_to_use' => $tool['whenToUse'] ?? null,
                'returns' => $tool['returns'] ?? null,
                'examples' => $tool['examples'] ?? null,
                'context' => $tool['context'] ?? null,
            ]),
        ]);
    }

    /**
     * @param array<string,mixed>|bool $probe
     * @return array{method:string,path:string}
     */
    private static function probe($probe): array
    {
        $given = is_array($probe) ? $probe : [];
        return ['method' => $given['method'] ?? 'POST', 'path' => $given['path'] ?? self::PROBE_PATH];
    }

    /**
     * Drops what says nothing: null, false, zero, an empty text, an empty list.
     *
     * @param array<string,mixed> $members
     * @return array<string,mixed>
     */
    public static function kept(array $members): array
    {
        return array_filter($members, function ($value): bool {
            return $value !== null && $value !== false && $value !== '' && $value !== 0 && $value !== [];
        });
    }

    /**
     * Drops members that are null; zero, false and '' are values here.
     *
     * @param array<string,mixed> $members
     * @return array<string,mixed>
     */
    public static function given(array $members): array
    {
        return array_filter($members, function ($value): bool {
            return $value !== null;
        });
    }
}
