<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Where a replay guard remembers. It must be shared by all processes of the service, and remembering must be atomic. */
interface ReplayStore
{
    /**
     * Remembers a key until `$until`.
     *
     * @param string $key 64 lowercase hex digits
     * @param int $now unix seconds
     * @param int $until unix seconds; the store may forget the key after it
     * @return bool true when the key was new, false when it is remembered already
     */
    public function remember(string $key, int $now, int $until): bool;
}
