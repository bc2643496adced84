<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Throw it (or a subclass) from a handler under Idempotency when it certainly changed nothing, e.g. after a rollback:
 * the key is released and the call may come again. After any other exception the key stays, because nobody knows what happened.
 */
class NotApplied extends \RuntimeException
{
}
