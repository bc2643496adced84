<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * What a builder, a signer or the canonicaliser cannot accept. `reason()` is the stable word, the message is for people.
 * Verifiers never throw it: they answer with a reason word instead.
 */
final class RefusedInput extends \InvalidArgumentException
{
    /** @var string */
    private $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }

    /** `invalid_arguments`, `invalid_uid`, `invalid_decision`, `parsed_body`, or a code of the spec builder. */
    public function reason(): string
    {
        return $this->reason;
    }
}
