import type { ExplainQuestion } from '@bailing/engine';
import { argumentsOf, membersOf, optionalObject, optionalText, requiredText } from '../members.js';
import { admin, json, operateOf, type Route } from '../route.js';

const KNOWN = ['route', 'client_app_id', 'subject', 'metadata', 'tool', 'arguments'];
const NAME_CHARS = 128;
const SUBJECT_CHARS = 191;

/** `POST /admin/api/explain`: why and why not, for a route and whoever would act in it. Nothing is sent, counted or written. */
export const adminExplain: Route = {
  method: 'POST',
  path: '/admin/api/explain',
  access: ['admin'],
  async handle(request, hub) {
    admin(request);
    return { status: 200, body: await operateOf(hub).explain(readQuestion(json(request))) };
  },
};

function readQuestion(body: unknown): ExplainQuestion {
  const members = membersOf(body, KNOWN);
  const client = optionalText(members, 'client_app_id', NAME_CHARS);
  const subject = optionalText(members, 'subject', SUBJECT_CHARS);
  const metadata = optionalObject(members, 'metadata');
  const tool = optionalText(members, 'tool', NAME_CHARS);
  return {
    route: requiredText(members, 'route', NAME_CHARS),
    ...(client !== undefined && { client }),
    ...(subject !== undefined && { subject }),
    ...(metadata && { metadata }),
    ...(tool !== undefined && { tool, arguments: argumentsOf(members, 'arguments') }),
  };
}
