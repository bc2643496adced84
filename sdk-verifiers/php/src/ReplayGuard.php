<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Refuses the second use of an accepted call for twice the window (SIGNING 35). GET and HEAD pass: equal reads in one second are
 * equal on the wire. Hand it to gate() as `replayGuard`, or ask it after your own checks.
 */
final class ReplayGuard
{
    /** @var ReplayStore */
    private $store;

    /** @var int */
    private $windowSec;

    public function __construct(ReplayStore $store, int $windowSec = 300)
    {
        $this->store = $store;
        $this->windowSec = $windowSec;
    }

    /**
     * @param int|null $now unix seconds, for tests
     * @return string|null null on first use, `replayed`, or `replay_guard_failed` when the store failed (refuse then, too)
     */
    public function failureReason(Request $request, ?int $now = null): ?string
    {
        if (in_array(Bytes::upper($request->method()), ['GET', 'HEAD'], true)) {
            return null;
        }
        $at = $now ?? time();
        $key = hash('sha256', ($request->signed('signature') ?? '') . '.' . ($request->signed('jobId') ?? ''));
        try {
            return $this->store->remember($key, $at, $at + 2 * $this->windowSec) ? null : 'replayed';
        } catch (\Throwable $problem) {
            return 'replay_guard_failed';
        }
    }
}
