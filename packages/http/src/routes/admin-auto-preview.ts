import { INPUT_CHARS } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import type { AutoPreviewRequest } from '../hub-api.js';
import { admin, json, type Route } from '../route.js';

type Members = Readonly<Record<string, unknown>>;

/** `POST /admin/api/routes/auto-preview` (WIRE §2.5): which route a request would get, and why; nothing is launched. */
export const adminAutoPreview: Route = {
  method: 'POST',
  path: '/admin/api/routes/auto-preview',
  access: ['admin'],
  handle(request, hub) {
    admin(request);
    return { status: 200, body: hub.autoPreview(readPreview(json(request))) };
  },
};

function readPreview(body: unknown): AutoPreviewRequest {
  if (!isObject(body)) throw malformed('body', 'The body must be a JSON object.');
  const input = body.input ?? body.text;
  if (typeof input !== 'string' || !/\S/.test(input) || input.length > INPUT_CHARS)
    throw malformed('input', `input must be a string of at most ${String(INPUT_CHARS)} characters that is not blank.`);
  const clientAppId = textOf(body, 'client_app_id') ?? textOf(body, 'client_id');
  const channel = textOf(body, 'channel');
  return {
    input,
    metadata: { ...objectOf(body, 'metadata'), ...(body.principal !== undefined && { principal: objectOf(body, 'principal') }) },
    ...(clientAppId !== undefined && { clientAppId }),
    ...(channel !== undefined && { channel }),
  };
}

function objectOf(body: Members, name: string): Members {
  const value = body[name];
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw malformed(name, `${name} must be a JSON object.`);
  return value;
}

function textOf(body: Members, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 128) throw malformed(name, `${name} must be a string of at most 128 characters.`);
  return value;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}
