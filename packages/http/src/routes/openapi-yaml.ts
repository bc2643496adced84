import { readFileSync } from 'node:fs';
import type { Route } from '../route.js';

let document: string | undefined;

/** `GET /openapi.yaml`: this service's own description. Read once. */
export const openapiYaml: Route = {
  method: 'GET',
  path: '/openapi.yaml',
  access: 'public',
  handle() {
    document ??= readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
    return { status: 200, type: 'application/yaml; charset=utf-8', text: document };
  },
};
