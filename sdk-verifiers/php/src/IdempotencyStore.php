<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Where the idempotency helper keeps first answers. It must be shared by all processes; claim() must be atomic. */
interface IdempotencyStore
{
    public const NEW = 'new';
    public const ANSWERED = 'answered';
    public const RUNNING = 'running';
    public const UNKNOWN = 'unknown';
    public const OTHER_CONTENT = 'other-content';

    /**
     * Claims a key, or tells what is known about it. Of two claims at once exactly one is NEW.
     *
     * @param string $key 64 lowercase hex digits
     * @param string $content 64 lowercase hex digits: the hash of what the key was first used with
     * @param int $now unix seconds
     * @return array{is:string,answer:?string} `is` is one of the constants; the answer (JSON text) is set for ANSWERED only
     */
    public function claim(string $key, string $content, int $now): array;

    /** Stores the first answer, JSON text. */
    public function settle(string $key, string $answer): void;

    /** The handler failed and may have done something: the key is UNKNOWN until an operator releases it. */
    public function markUnknown(string $key): void;

    /** Forgets an unsettled key, so that the call may run again. */
    public function release(string $key): void;
}
