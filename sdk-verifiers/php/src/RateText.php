<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Reads a rate such as `30/min`, `600/hour`, `10/s` or `1000/day` (WIRE §17). */
final class RateText
{
    private const WINDOWS = [
        's' => '1s', 'sec' => '1s', 'second' => '1s',
        'm' => '1m', 'min' => '1m', 'minute' => '1m',
        'h' => '1h', 'hour' => '1h',
        'd' => '1d', 'day' => '1d',
    ];

    /**
     * @param mixed $rate the text, or the parsed form
     * @return array{count:int,window:string}|null null when it is neither
     */
    public static function parse($rate): ?array
    {
        if (is_array($rate)) {
            $count = $rate['count'] ?? null;
            $window = $rate['window'] ?? null;
            return is_int($count) && $count >= 1 && in_array($window, self::WINDOWS, true) ? ['count' => $count, 'window' => $window] : null;
        }
        if (!is_string($rate) || preg_match('~^([1-9][0-9]{0,8})/([a-z]+)\z~', $rate, $found) !== 1 || !isset(self::WINDOWS[$found[2]])) {
            return null;
        }
        return ['count' => (int) $found[1], 'window' => self::WINDOWS[$found[2]]];
    }
}
