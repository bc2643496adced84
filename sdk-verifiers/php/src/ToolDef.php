<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** One tool in builder form; made by ToolSpec::tool(). Every setter answers the tool itself. */
final class ToolDef
{
    /** @var array<string,mixed> */
    private $tool;

    public function __construct(string $name, string $method, string $path, string $scope, string $description)
    {
        $this->tool = ['name' => $name, 'method' => $method, 'path' => $path, 'scope' => $scope, 'description' => $description, 'params' => []];
    }

    /** `low`, `medium` or `high`; written into the document whenever stated, low included. */
    public function risk(string $level): self
    {
        return $this->set('risk', $level);
    }

    /** Every call asks a person first; the prompt may hold `{argument}` placeholders. */
    public function confirm(bool $required = true, ?string $prompt = null): self
    {
        return $this->set('confirm', $required)->set('confirmPrompt', $prompt ?? $this->tool['confirmPrompt'] ?? null);
    }

    /**
     * Asks a person when the condition holds; call it again for more conditions, any of which is enough.
     *
     * @param string|array<int,array<string,mixed>> $param name (a dot path), or a whole list of {param, op, value?, label?}
     * @param string $op exists, >, >=, <, <=, ==, !=, in, contains
     * @param mixed $value left out when null
     */
    public function confirmWhen($param, string $op = 'exists', $value = null, ?string $label = null): self
    {
        $more = is_array($param) ? $param : [SpecDocument::given(['param' => $param, 'op' => $op, 'value' => $value, 'label' => $label])];
        return $this->set('confirmWhen', array_merge($this->tool['confirmWhen'] ?? [], $more));
    }

    public function confirmPrompt(string $prompt): self
    {
        return $this->set('confirmPrompt', $prompt);
    }

    /** Hidden and refused where no acting user is known. */
    public function requiresSubject(bool $required = true): self
    {
        return $this->set('requiresSubject', $required);
    }

    /** Argument values stay out of the hub's audit. */
    public function sensitive(bool $sensitive = true): self
    {
        return $this->set('sensitive', $sensitive);
    }

    public function readonly(bool $readonly = true): self
    {
        return $this->set('readonly', $readonly);
    }

    public function idempotent(bool $idempotent = true): self
    {
        return $this->set('idempotent', $idempotent);
    }

    /** @param string|array{count:int,window:string} $rate `30/min`, `600/hour`, `10/s`, `1000/day` */
    public function rateLimit($rate): self
    {
        return $this->set('rateLimit', $rate);
    }

    public function timeoutMs(int $milliseconds): self
    {
        return $this->set('timeoutMs', $milliseconds);
    }

    public function whenToUse(string $text): self
    {
        return $this->set('whenToUse', $text);
    }

    public function returns(string $text): self
    {
        return $this->set('returns', $text);
    }

    /** @param array<int,mixed> $examples example arguments */
    public function examples(array $examples): self
    {
        return $this->set('examples', $examples);
    }

    /** @param array<int,string> $context */
    public function context(array $context): self
    {
        return $this->set('context', $context);
    }

    /** @param array<int,string> $tags */
    public function tags(array $tags): self
    {
        return $this->set('tags', $tags);
    }

    public function deprecated(bool $deprecated = true): self
    {
        return $this->set('deprecated', $deprecated);
    }

    /** @param string $sideEffect none, read, write, notify or external */
    public function outcome(string $result, string $sideEffect): self
    {
        return $this->set('outcome', ['result' => $result, 'sideEffect' => $sideEffect]);
    }

    /** @param array<string,mixed> $more enum, items, default, schema */
    public function query(string $name, string $type = 'string', string $description = '', bool $required = false, array $more = []): self
    {
        return $this->param($name, 'query', $type, $description, $required, $more);
    }

    /** A member of the JSON body. @param array<string,mixed> $more enum, items, default, schema */
    public function body(string $name, string $type = 'string', string $description = '', bool $required = false, array $more = []): self
    {
        return $this->param($name, 'body', $type, $description, $required, $more);
    }

    /** A `{name}` of the path; always required. @param array<string,mixed> $more enum, schema */
    public function path(string $name, string $type = 'string', string $description = '', array $more = []): self
    {
        return $this->param($name, 'path', $type, $description, true, $more);
    }

    /** @param array<string,mixed> $more enum, default, schema */
    public function header(string $name, string $type = 'string', string $description = '', bool $required = false, array $more = []): self
    {
        return $this->param($name, 'header', $type, $description, $required, $more);
    }

    /** @return array<string,mixed> the neutral description that SpecDocument takes */
    public function toArray(): array
    {
        return $this->tool;
    }

    /** @param array<string,mixed> $more */
    private function param(string $name, string $place, string $type, string $description, bool $required, array $more): self
    {
        $this->tool['params'][] = ['name' => $name, 'in' => $place, 'type' => $type, 'description' => $description, 'required' => $required] + $more;
        return $this;
    }

    /** @param mixed $value */
    private function set(string $member, $value): self
    {
        $this->tool[$member] = $value;
        return $this;
    }
}
