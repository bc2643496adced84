<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** What the PDO stores need to know about failures. */
final class PdoFault
{
    /** The stores tell success by exceptions; PHP 7's default is to fail in silence. */
    public static function wantExceptions(\PDO $pdo): void
    {
        if ($pdo->getAttribute(\PDO::ATTR_ERRMODE) !== \PDO::ERRMODE_EXCEPTION) {
            throw new \InvalidArgumentException('Set PDO::ATTR_ERRMODE to PDO::ERRMODE_EXCEPTION here: a store must not fail in silence.');
        }
    }

    /** True for a violated key (SQLSTATE class 23), false for any other failure. */
    public static function isDuplicate(\PDOException $problem): bool
    {
        return strncmp((string) $problem->getCode(), '23', 2) === 0;
    }
}
