import { malformed, membersOf, optionalObject, requiredText, type Members } from '../members.js';
import { admin, json, operateOf, type Route } from '../route.js';

const KNOWN = ['method', 'target', 'headers', 'body'];
const HEADERS_MAX = 100;

/** `POST /admin/api/tool-providers/{name}/signature-check`: the string to sign of a call as a business received it, and where its signature differs. */
export const adminSignatureCheck: Route = {
  method: 'POST',
  path: '/admin/api/tool-providers/:name/signature-check',
  access: ['admin'],
  async handle(request, hub) {
    admin(request);
    const members = membersOf(json(request), KNOWN);
    const body = members['body'] ?? '';
    if (typeof body !== 'string') throw malformed('body', 'body must be the text of the body as it came.');
    const received = {
      method: requiredText(members, 'method', 16),
      target: requiredText(members, 'target', 16_384),
      headers: headersOf(optionalObject(members, 'headers') ?? {}),
      body,
    };
    return { status: 200, body: await operateOf(hub).checkSignature(request.params['name'] ?? '', received) };
  },
};

/** By lower-case name. */
function headersOf(given: Members): Readonly<Record<string, string>> {
  const entries = Object.entries(given);
  if (entries.length > HEADERS_MAX) throw malformed('headers', `headers has more than ${String(HEADERS_MAX)} members.`);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw malformed(`headers.${name.slice(0, 64)}`, 'A header must be a string.');
      return [name.toLowerCase(), value];
    }),
  );
}
