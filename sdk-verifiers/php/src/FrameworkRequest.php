<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Takes raw target, headers and raw body out of a framework's request object, where they are still to be had. None of them is required:
 * the objects are only asked the named methods.
 *
 * The method is the one the router used. A header such as X-HTTP-Method-Override changes it in Laravel and ThinkPHP and is not signed:
 * a call that was signed for POST must not reach the route of a DELETE.
 */
final class FrameworkRequest
{
    /**
     * Laravel and Symfony: getMethod(), server->get('REQUEST_URI'), headers->all(), getContent().
     *
     * Not getRequestUri(), getUri() or getQueryString(): they rebuild and sort.
     *
     * @param object $request Illuminate\Http\Request or Symfony\Component\HttpFoundation\Request
     */
    public static function symfony($request): Request
    {
        $target = (string) $request->server->get('REQUEST_URI');
        return Request::of($request->getMethod(), $target, $request->headers->all(), (string) $request->getContent());
    }

    /**
     * ThinkPHP 6 and 8: method(), server('REQUEST_URI'), header(), getInput().
     *
     * Not url(): it believes the unsigned header X-Rewrite-Url.
     *
     * @param object $request think\Request
     */
    public static function think($request): Request
    {
        return Request::of($request->method(), (string) $request->server('REQUEST_URI'), $request->header(), (string) $request->getInput());
    }

    /**
     * PSR-7 (Slim, Mezzio, RoadRunner, …): getMethod(), getServerParams()['REQUEST_URI'] or else getRequestTarget(), getHeaders(), getBody().
     *
     * @param object $request Psr\Http\Message\ServerRequestInterface
     */
    public static function psr7($request): Request
    {
        $server = $request->getServerParams();
        $target = isset($server['REQUEST_URI']) && is_string($server['REQUEST_URI']) ? $server['REQUEST_URI'] : $request->getRequestTarget();
        return Request::of($request->getMethod(), $target, $request->getHeaders(), $request->getBody());
    }
}
