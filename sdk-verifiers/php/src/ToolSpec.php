<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * A tool document in builder form, for PHP 7.2 and later:
 * `ToolSpec::create('Shop', '1.0')->tool('order_refund', 'POST', '/orders/refund', 'order.refund', '…', function (ToolDef $tool) {…})->build()`.
 */
final class ToolSpec implements SpecSource
{
    /** @var string */
    private $title;

    /** @var string */
    private $version;

    /** @var array<int,array<string,mixed>> */
    private $tools = [];

    /** @var array{path:string,method:string}|null */
    private $authzProbe;

    private function __construct(string $title, string $version)
    {
        $this->title = $title;
        $this->version = $version;
    }

    public static function create(string $title, string $version): self
    {
        return new self($title, $version);
    }

    /**
     * @param string $name operation id; '' makes it from method and path
     * @param string $path path of the document, `{name}` for path parameters
     * @param callable|null $configure (ToolDef $tool): sets risk, parameters and the rest
     */
    public function tool(string $name, string $method, string $path, string $scope, string $description, ?callable $configure = null): self
    {
        $tool = new ToolDef($name, $method, $path, $scope, $description);
        if ($configure !== null) {
            call_user_func($configure, $tool);
        }
        $this->tools[] = $tool->toArray();
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
}
