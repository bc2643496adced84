<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Keeps answers inside one PHP process: for tests and long-running servers with one worker. Behind PHP-FPM use PdoIdempotencyStore. */
final class MemoryIdempotencyStore implements IdempotencyStore
{
    private const LIMIT = 100000;

    /** @var array<string,array{content:string,state:string,answer:?string}> */
    private $rows = [];

    public function claim(string $key, string $content, int $now): array
    {
        $row = $this->rows[$key] ?? null;
        if ($row !== null) {
            return $row['content'] === $content
                ? ['is' => $row['state'], 'answer' => $row['answer']]
                : ['is' => self::OTHER_CONTENT, 'answer' => null];
        }
        if (count($this->rows) >= self::LIMIT) {
            throw new \RuntimeException('The idempotency store in memory is full; use a table instead (PdoIdempotencyStore).');
        }
        $this->rows[$key] = ['content' => $content, 'state' => self::RUNNING, 'answer' => null];
        return ['is' => self::NEW, 'answer' => null];
    }

    public function settle(string $key, string $answer): void
    {
        $this->rows[$key]['state'] = self::ANSWERED;
        $this->rows[$key]['answer'] = $answer;
    }

    public function markUnknown(string $key): void
    {
        if (($this->rows[$key]['state'] ?? '') === self::RUNNING) {
            $this->rows[$key]['state'] = self::UNKNOWN;
        }
    }

    public function release(string $key): void
    {
        if (($this->rows[$key]['state'] ?? '') !== self::ANSWERED) {
            unset($this->rows[$key]);
        }
    }
}
