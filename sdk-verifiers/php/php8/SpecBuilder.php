<?php

declare(strict_types=1);

namespace Bailing\Connect;

use ReflectionClass;
use ReflectionMethod;
use ReflectionNamedType;
use ReflectionParameter;

/**
 * A tool document from AiTool and AiParam attributes (PHP 8.0 and later):
 * `(new SpecBuilder('Shop', '1.0'))->addClass(OrderController::class)->authzProbe()->buildJson()`.
 */
final class SpecBuilder implements SpecSource
{
    private const TYPES = ['int' => 'integer', 'float' => 'number', 'bool' => 'boolean', 'array' => 'array', 'string' => 'string'];

    /** @var array<int,array<string,mixed>> */
    private array $tools = [];

    /** @var array{path:string,method:string}|null */
    private ?array $authzProbe = null;

    public function __construct(private string $title = 'Tools', private string $version = '1.0.0')
    {
    }

    /**
     * Adds every public method with an AiTool attribute.
     *
     * @param class-string|object $class
     * @throws \ReflectionException when the class does not exist
     */
    public function addClass(string|object $class): self
    {
        $reflection = new ReflectionClass($class);
        foreach ($reflection->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
            foreach ($method->getAttributes(AiTool::class) as $attribute) {
                $this->tools[] = self::describe($reflection, $method, $attribute->newInstance());
            }
        }
        return $this;
    }

    /** Announces the endpoint that answers the hub's authorization probe. */
    public function authzProbe(string $path = '/.well-known/bailing/authz-probe', string $method = 'POST'): self
    {
        $this->authzProbe = ['path' => $path, 'method' => $method];
        return $this;
    }

    public function build(): array
    {
        return SpecDocument::build($this->title, $this->version, $this->tools, $this->authzProbe);
    }

    public function buildJson(): string
    {
        return JsonWriter::compact($this->build());
    }

    public function warnings(): array
    {
        return SpecDocument::warnings($this->tools);
    }

    /**
     * @param ReflectionClass<object> $class
     * @return array<string,mixed>
     */
    private static function describe(ReflectionClass $class, ReflectionMethod $method, AiTool $tool): array
    {
        $params = [];
        foreach ($method->getAttributes(AiParam::class) as $attribute) {
            $param = $attribute->newInstance();
            $params[] = self::param($param, $param->name, $param->type, $param->required ?? false, $param->default);
        }
        foreach ($method->getParameters() as $parameter) {
            foreach ($parameter->getAttributes(AiParam::class) as $attribute) {
                $params[] = self::fromParameter($parameter, $attribute->newInstance());
            }
        }
        $name = $tool->name !== '' ? $tool->name : self::defaultName($class->getShortName(), $method->getName());
        return ['name' => $name, 'params' => $params] + get_object_vars($tool);
    }

    /** @return array<string,mixed> */
    private static function fromParameter(ReflectionParameter $parameter, AiParam $param): array
    {
        $type = $parameter->getType();
        $isOptional = $parameter->isDefaultValueAvailable();
        return self::param(
            $param,
            $param->name !== '' ? $param->name : $parameter->getName(),
            $param->type ?? ($type instanceof ReflectionNamedType ? self::TYPES[$type->getName()] ?? null : null),
            $param->required ?? (!$isOptional && !$parameter->allowsNull()),
            $param->default ?? ($isOptional ? $parameter->getDefaultValue() : null),
        );
    }

    /** @return array<string,mixed> */
    private static function param(AiParam $param, string $name, ?string $type, bool $required, mixed $default): array
    {
        return ['name' => $name, 'type' => $type, 'required' => $required, 'default' => $default] + get_object_vars($param);
    }

    /** `OrderItemController::refundAll` is `order_item_refund_all`. */
    private static function defaultName(string $class, string $method): string
    {
        $words = (preg_replace('/Controller\z/', '', $class) ?: $class) . '_' . $method;
        return strtolower((string) preg_replace('/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/', '_', $words));
    }
}
