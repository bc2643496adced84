<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** The hub answered with a status outside 200–299, or gave no usable answer (status 0). The message never holds the token. */
final class HubError extends \RuntimeException
{
    /** @var array<string,mixed> */
    private $response;

    /** @param array<string,mixed> $response the decoded answer, `[]` when it was not JSON */
    public function __construct(string $message, int $status, array $response = [])
    {
        parent::__construct($message, $status);
        $this->response = $response;
    }

    public function status(): int
    {
        return $this->getCode();
    }

    /** @return array<string,mixed> */
    public function response(): array
    {
        return $this->response;
    }
}
