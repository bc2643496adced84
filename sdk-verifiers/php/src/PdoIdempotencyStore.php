<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Keeps answers in a table, shared by all workers. Give it a connection of its own, outside of your transactions, in exception mode.
 *
 * CREATE TABLE bailing_idempotency (
 *   idem_key CHAR(64) NOT NULL PRIMARY KEY, content CHAR(64) NOT NULL, state VARCHAR(8) NOT NULL, answer TEXT NULL, begun_at BIGINT NOT NULL);
 *
 * On MySQL and MariaDB use MEDIUMTEXT for answers above 64 KiB. Delete answered rows when they are older than your jobs can be;
 * a row that stays `running` after a crash, or `unknown`, is for a person to look at and then to release().
 */
final class PdoIdempotencyStore implements IdempotencyStore
{
    /** @var \PDO */
    private $pdo;

    public function __construct(\PDO $pdo)
    {
        PdoFault::wantExceptions($pdo);
        $this->pdo = $pdo;
    }

    /** Creates the table where it is missing. */
    public function createTable(): void
    {
        $this->pdo->exec('CREATE TABLE IF NOT EXISTS bailing_idempotency (idem_key CHAR(64) NOT NULL PRIMARY KEY, '
            . 'content CHAR(64) NOT NULL, state VARCHAR(8) NOT NULL, answer TEXT NULL, begun_at BIGINT NOT NULL)');
    }

    public function claim(string $key, string $content, int $now): array
    {
        try {
            // the primary key decides between two workers; nothing is read first
            $insert = $this->pdo->prepare('INSERT INTO bailing_idempotency (idem_key, content, state, begun_at) VALUES (?, ?, ?, ?)');
            $insert->execute([$key, $content, self::RUNNING, $now]);
            return ['is' => self::NEW, 'answer' => null];
        } catch (\PDOException $problem) {
            if (!PdoFault::isDuplicate($problem)) {
                throw $problem;
            }
        }
        $select = $this->pdo->prepare('SELECT content, state, answer FROM bailing_idempotency WHERE idem_key = ?');
        $select->execute([$key]);
        $row = $select->fetch(\PDO::FETCH_ASSOC);
        if ($row === false) {
            // released between the two statements: whoever asks again may have it
            return ['is' => self::RUNNING, 'answer' => null];
        }
        return $row['content'] === $content
            ? ['is' => $row['state'], 'answer' => $row['answer']]
            : ['is' => self::OTHER_CONTENT, 'answer' => null];
    }

    public function settle(string $key, string $answer): void
    {
        $this->pdo->prepare('UPDATE bailing_idempotency SET state = ?, answer = ? WHERE idem_key = ?')->execute([self::ANSWERED, $answer, $key]);
    }

    public function markUnknown(string $key): void
    {
        $this->pdo->prepare('UPDATE bailing_idempotency SET state = ? WHERE idem_key = ? AND state = ?')
            ->execute([self::UNKNOWN, $key, self::RUNNING]);
    }

    public function release(string $key): void
    {
        $this->pdo->prepare('DELETE FROM bailing_idempotency WHERE idem_key = ? AND state <> ?')->execute([$key, self::ANSWERED]);
    }
}
