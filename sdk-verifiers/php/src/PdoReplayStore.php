<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Remembers in a table, shared by all workers. Give it a connection of its own, outside of your transactions, in exception mode.
 *
 * CREATE TABLE bailing_replay (replay_key CHAR(64) NOT NULL PRIMARY KEY, kept_until BIGINT NOT NULL);
 */
final class PdoReplayStore implements ReplayStore
{
    /** @var \PDO */
    private $pdo;

    public function __construct(\PDO $pdo)
    {
        PdoFault::wantExceptions($pdo);
        $this->pdo = $pdo;
    }

    /** Creates the table where it is missing; works on SQLite, MySQL, MariaDB and PostgreSQL. */
    public function createTable(): void
    {
        $this->pdo->exec('CREATE TABLE IF NOT EXISTS bailing_replay (replay_key CHAR(64) NOT NULL PRIMARY KEY, kept_until BIGINT NOT NULL)');
    }

    public function remember(string $key, int $now, int $until): bool
    {
        // the primary key decides between two workers; nothing is read first
        $this->pdo->prepare('DELETE FROM bailing_replay WHERE kept_until <= ?')->execute([$now]);
        try {
            return $this->pdo->prepare('INSERT INTO bailing_replay (replay_key, kept_until) VALUES (?, ?)')->execute([$key, $until]);
        } catch (\PDOException $problem) {
            if (PdoFault::isDuplicate($problem)) {
                return false;
            }
            throw $problem;
        }
    }
}
