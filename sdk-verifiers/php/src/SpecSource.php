<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Something that can write a tool document: ToolSpec (builder form) and SpecBuilder (attributes, PHP 8). */
interface SpecSource
{
    /**
     * The OpenAPI document as PHP values; empty JSON objects in it are ArrayObject.
     *
     * @return array<string,mixed>
     * @throws RefusedInput with the code of what is wrong
     */
    public function build(): array;

    /** The same as JSON text, ready to serve. */
    public function buildJson(): string;

    /**
     * What an author should look at; nothing of it stops the build.
     *
     * @return array<int,array{code:string,tool:string,message:string}>
     */
    public function warnings(): array;
}
