<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Remembers inside one PHP process: for tests and long-running servers with one worker. Behind PHP-FPM use PdoReplayStore. */
final class MemoryReplayStore implements ReplayStore
{
    /** @var array<string,int> */
    private $untilByKey = [];

    /** @var int */
    private $sweepAt = 1024;

    public function remember(string $key, int $now, int $until): bool
    {
        if (($this->untilByKey[$key] ?? $now) > $now) {
            return false;
        }
        $this->untilByKey[$key] = $until;
        if (count($this->untilByKey) > $this->sweepAt) {
            $this->untilByKey = array_filter($this->untilByKey, function (int $kept) use ($now): bool {
                return $kept > $now;
            });
            $this->sweepAt = 1024 + 2 * count($this->untilByKey);
        }
        return true;
    }
}
