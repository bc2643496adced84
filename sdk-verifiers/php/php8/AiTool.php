<?php

declare(strict_types=1);

namespace Bailing\Connect;

use Attribute;

/** Declares a public method as a tool. Use named arguments; SpecBuilder reads it. */
#[Attribute(Attribute::TARGET_METHOD)]
final class AiTool
{
    /**
     * @param string $scope dotted capability such as `order.refund`
     * @param string $description for the model; the first sentence (up to 。) must say enough on its own
     * @param string $path path of the document, `{name}` for path parameters
     * @param string $name operation id; '' makes it from class and method
     * @param string|null $risk low, medium or high; written whenever stated
     * @param bool $confirm every call asks a person first
     * @param array<int,array<string,mixed>> $confirmWhen each {param, op, value?, label?}
     * @param string|array{count:int,window:string}|null $rateLimit `30/min`, `600/hour`, `10/s`, `1000/day`
     * @param array{result:string,sideEffect:string}|null $outcome
     * @param array<int,mixed> $examples
     * @param array<int,string> $context
     * @param array<int,string> $tags
     */
    public function __construct(
        public string $scope,
        public string $description,
        public string $path,
        public string $method = 'POST',
        public string $name = '',
        public ?string $risk = null,
        public bool $confirm = false,
        public array $confirmWhen = [],
        public ?string $confirmPrompt = null,
        public bool $requiresSubject = false,
        public bool $sensitive = false,
        public bool $readonly = false,
        public bool $idempotent = false,
        public string|array|null $rateLimit = null,
        public ?int $timeoutMs = null,
        public ?array $outcome = null,
        public ?string $whenToUse = null,
        public ?string $returns = null,
        public array $examples = [],
        public array $context = [],
        public array $tags = [],
        public bool $deprecated = false,
    ) {
    }
}
