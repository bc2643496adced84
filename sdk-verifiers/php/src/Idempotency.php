<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Runs a handler once per X-Bailing-Idempotency-Key (SIGNING 36): the first answer is given again, the same key with other content
 * is refused, and so is a second call while the first still runs. It comes after gate(): the key itself is not signed.
 */
final class Idempotency
{
    private const NO_KEY = 'no-key';

    /** Status, word and sentence per refusal. */
    private const REFUSED = [
        IdempotencyStore::RUNNING => [409, 'idempotency_running', 'The first call with this key still runs. Ask again when it has ended.'],
        IdempotencyStore::UNKNOWN => [409, 'idempotency_unknown', 'The first call with this key failed half way. A person must look at it.'],
        IdempotencyStore::OTHER_CONTENT => [422, 'idempotency_other_content', 'This key was used for another call. A new call needs a new key.'],
        self::NO_KEY => [400, 'idempotency_key_missing', 'A write needs the header X-Bailing-Idempotency-Key (64 hex digits).'],
    ];

    /** @var IdempotencyStore */
    private $store;

    public function __construct(IdempotencyStore $store)
    {
        $this->store = $store;
    }

    /**
     * @param array<string,mixed> $passed the answer of gate(); its idempotencyKey and contentHash are used
     * @param callable $handler () to any JSON value; it runs once per key
     * @param int|null $now unix seconds, for tests
     * @return array{ok:bool,code:int,error:?string,message:string,repeated:bool,answer:mixed} the answer as decoded JSON, the same
     *     the first and every later time; code 200, 400, 409 or 422
     * @throws \Throwable what the handler or the store threw
     */
    public function run(array $passed, callable $handler, ?int $now = null): array
    {
        $key = $passed['idempotencyKey'] ?? '';
        $content = $passed['contentHash'] ?? '';
        if (!is_string($key) || !is_string($content) || $content === '' || preg_match('/^[0-9a-f]{64}\z/', $key) !== 1) {
            return self::refuse(self::NO_KEY);
        }
        $claim = $this->store->claim($key, $content, $now ?? time());
        if ($claim['is'] === IdempotencyStore::ANSWERED) {
            return self::give((string) $claim['answer'], true);
        }
        return $claim['is'] === IdempotencyStore::NEW ? self::give($this->first($key, $handler), false) : self::refuse($claim['is']);
    }

    private function first(string $key, callable $handler): string
    {
        try {
            $answer = JsonWriter::compact(call_user_func($handler));
            $this->store->settle($key, $answer);
            return $answer;
        } catch (NotApplied $problem) {
            $this->store->release($key);
            throw $problem;
        } catch (\Throwable $problem) {
            $this->store->markUnknown($key);
            throw $problem;
        }
    }

    /** @return array{ok:bool,code:int,error:?string,message:string,repeated:bool,answer:mixed} */
    private static function give(string $answer, bool $repeated): array
    {
        $decoded = json_decode($answer, true, 512, JSON_BIGINT_AS_STRING);
        return ['ok' => true, 'code' => 200, 'error' => null, 'message' => '', 'repeated' => $repeated, 'answer' => $decoded];
    }

    /** @return array{ok:bool,code:int,error:?string,message:string,repeated:bool,answer:mixed} */
    private static function refuse(string $is): array
    {
        list($code, $error, $message) = self::REFUSED[$is];
        return ['ok' => false, 'code' => $code, 'error' => $error, 'message' => $message, 'repeated' => false, 'answer' => null];
    }
}
