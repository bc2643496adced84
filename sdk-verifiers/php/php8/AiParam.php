<?php

declare(strict_types=1);

namespace Bailing\Connect;

use Attribute;

/**
 * Declares a parameter of a tool: on a parameter of the method (name, type and required come from PHP where not stated), or on the
 * method, once per parameter and with a name, where the method itself takes a request object.
 */
#[Attribute(Attribute::TARGET_PARAMETER | Attribute::TARGET_METHOD | Attribute::IS_REPEATABLE)]
final class AiParam
{
    /**
     * @param string|null $type string, number, integer, boolean, array or object
     * @param bool|null $required null: from the PHP parameter, else false
     * @param string|null $in query, path, header or body; null: path when `{name}` is in the path, else query for GET and body otherwise
     * @param array<int,mixed>|null $enum
     * @param array<string,mixed>|null $items schema of the items of an array
     * @param array<string,mixed>|null $schema a whole JSON Schema instead of type, enum, items and default
     */
    public function __construct(
        public string $name = '',
        public string $description = '',
        public ?string $type = null,
        public ?bool $required = null,
        public ?string $in = null,
        public ?array $enum = null,
        public ?array $items = null,
        public mixed $default = null,
        public ?array $schema = null,
    ) {
    }
}
