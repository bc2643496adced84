<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Chat tickets: who is chatting, said by the business and signed with its client token (SIGNING I). */
final class Ticket
{
    public const BAD_TICKET = 'bad_ticket';
    public const TICKET_EXPIRED = 'ticket_expired';

    private const SAFE_INTEGER = 9007199254740991;

    /**
     * Signs a ticket `v1.<payload>.<mac>`.
     *
     * @param string $token the client token
     * @param string|int $uid a short stable id of the user such as `tenant:user`; 1 to 64 bytes after trimming
     * @param int $ttl seconds from now
     * @param int|null $expiresAt unix seconds; wins over $ttl
     * @throws RefusedInput with reason invalid_uid
     */
    public static function sign(string $token, $uid, int $ttl = 7200, ?int $expiresAt = null): string
    {
        if ($token === '') {
            throw new \InvalidArgumentException('A client token is needed to sign a ticket.');
        }
        $id = Bytes::trim(Bytes::of($uid) ?? '');
        if ($id === null || $id === '' || strlen($id) > 64) {
            throw new RefusedInput('invalid_uid', 'The uid of a ticket is 1 to 64 UTF-8 bytes after trimming. Use a short, stable id of the user.');
        }
        $json = JsonWriter::compact(['uid' => $id, 'exp' => $expiresAt ?? time() + $ttl]);
        $payload = rtrim(strtr(base64_encode($json), '+/', '-_'), '=');
        return 'v1.' . $payload . '.' . hash_hmac('sha256', $payload, $token);
    }

    /**
     * Checks a ticket; never throws because of it.
     *
     * @param mixed $ticket the text that came in
     * @param int|float|null $now unix milliseconds, for tests
     * @return array{ok:bool,reason:?string,uid:string,exp:float} reason is null, `bad_ticket` or `ticket_expired`; exp is unix seconds
     */
    public static function check($token, $ticket, $now = null): array
    {
        $claims = self::claims($token, $ticket);
        if ($claims === null) {
            return ['ok' => false, 'reason' => self::BAD_TICKET, 'uid' => '', 'exp' => 0.0];
        }
        list($uid, $exp) = $claims;
        if ($exp * 1000 < ($now ?? microtime(true) * 1000)) {
            return ['ok' => false, 'reason' => self::TICKET_EXPIRED, 'uid' => '', 'exp' => $exp];
        }
        return ['ok' => true, 'reason' => null, 'uid' => $uid, 'exp' => $exp];
    }

    /** @return array{0:string,1:float}|null */
    private static function claims($token, $ticket): ?array
    {
        if (!is_string($token) || $token === '' || !is_string($ticket)) {
            return null;
        }
        if (preg_match('/^v1\.([A-Za-z0-9_-]+)\.([0-9a-f]{64})\z/', $ticket, $parts) !== 1) {
            return null;
        }
        if (!hash_equals(hash_hmac('sha256', $parts[1], $token), $parts[2]) || strlen($parts[1]) % 4 === 1) {
            return null;
        }
        $json = base64_decode(strtr($parts[1], '-_', '+/'), true);
        try {
            $object = JsonText::read($json === false ? '' : $json);
        } catch (RefusedInput $problem) {
            return null;
        }
        $uid = $object instanceof \ArrayObject ? self::uid($object['uid'] ?? null) : null;
        $exp = $object instanceof \ArrayObject ? $object['exp'] ?? null : null;
        $isFinite = is_int($exp) || (is_float($exp) && is_finite($exp));
        return $uid === null || !$isFinite ? null : [$uid, (float) $exp];
    }

    /** @param mixed $value */
    private static function uid($value): ?string
    {
        if (is_string($value)) {
            $text = Bytes::trim($value);
            return $text === null || $text === '' ? null : self::cut($text);
        }
        $isNumber = is_int($value) || is_float($value);
        $isWhole = $isNumber && floor((float) $value) === (float) $value && abs((float) $value) <= self::SAFE_INTEGER;
        return $isWhole ? EsNumber::write((float) $value) : null;
    }

    /** The first 64 UTF-16 code units; a character beyond the basic plane counts two and is not split. */
    private static function cut(string $text): string
    {
        $units = 0;
        $bytes = 0;
        while ($bytes < strlen($text)) {
            $lead = ord($text[$bytes]);
            $units += $lead >= 0xf0 ? 2 : 1;
            if ($units > 64) {
                break;
            }
            $bytes += $lead >= 0xf0 ? 4 : ($lead >= 0xe0 ? 3 : ($lead >= 0xc0 ? 2 : 1));
        }
        return substr($text, 0, $bytes);
    }
}
