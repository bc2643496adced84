import { capability, stated } from './capability.js';
import { checkTools } from './check.js';
import { tool as settle } from './tool.js';
import type { Param, SpecOptions, Tool } from './types.js';

type Members = Record<string, unknown>;

/** An OpenAPI 3.0.0 document of declared tools. */
export interface OpenApiSpec {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly 'x-bailing-authz-probe'?: { readonly method: string; readonly path: string };
}

export interface SpecWarning {
  readonly code: 'short_first_sentence';
  readonly tool: string;
  readonly message: string;
}

const PROBE_PATH = '/.well-known/bailing/authz-probe';

function schemaOf(given: Param): Members {
  if (given.schema) return { ...given.schema };
  const type = given.type ?? 'string';
  const items = given.items ?? (type === 'array' ? { type: 'string' } : undefined);
  const fallback = given.default === undefined || given.default === null ? {} : { default: given.default };
  return { type, ...stated({ enum: given.enum, items }), ...fallback };
}

function parameter(given: Tool['params'][number]): Members {
  const required = given.in === 'path' || given.required === true;
  return { name: given.name, in: given.in, required, ...stated({ description: given.description }), schema: schemaOf(given) };
}

function requestBody(tool: Tool): Members | undefined {
  if (tool.method === 'GET') return undefined;
  const inBody = tool.params.filter((given) => given.in === 'body');
  const property = (given: Param): [string, Members] => [given.name, { ...schemaOf(given), ...stated({ description: given.description }) }];
  const properties = Object.fromEntries(inBody.map(property));
  const required = inBody.filter((given) => given.required === true).map((given) => given.name);
  const schema = { type: 'object', properties, ...stated({ required }) };
  return { required: true, content: { 'application/json': { schema } } };
}

function operation(tool: Tool): Members {
  return {
    operationId: tool.name,
    summary: tool.description,
    ...stated({
      tags: tool.tags,
      deprecated: tool.deprecated === true,
      parameters: tool.params.filter((given) => given.in !== 'body').map(parameter),
      requestBody: requestBody(tool),
    }),
    responses: { '200': { description: 'OK' } },
    'x-agent-capability': capability(tool),
  };
}

/**
 * Builds the tool document. @throws {SpecError} for the first tool that cannot be declared; its `code` is one of the words in
 * `vectors/README.md`. Ask {@link specWarnings} for what is allowed but not wise.
 */
export function buildOpenApiSpec(options: SpecOptions): OpenApiSpec {
  const tools = options.tools.map(settle);
  checkTools(tools);
  const paths: Record<string, Members> = {};
  for (const tool of tools) paths[tool.path] = { ...paths[tool.path], [tool.method.toLowerCase()]: operation(tool) };
  const { title, version } = options;
  const document: OpenApiSpec = { openapi: '3.0.0', info: { title, version }, paths };
  if (!options.authzProbe) return document;
  const probe = options.authzProbe === true ? {} : options.authzProbe;
  return { ...document, 'x-bailing-authz-probe': { method: probe.method ?? 'POST', path: probe.path ?? PROBE_PATH } };
}

/** Tools whose first sentence (up to `。`) has fewer than 6 characters: a long catalogue shows the model only that sentence. */
export function specWarnings(options: Pick<SpecOptions, 'tools'>): readonly SpecWarning[] {
  const short = (text: string): boolean => [...(text.split('。')[0] ?? '').trim()].length < 6;
  return options.tools.map(settle).flatMap(({ name, description }) =>
    short(description)
      ? [
          {
            code: 'short_first_sentence' as const,
            tool: name,
            message: `Tool "${name}": the first sentence is too short to choose the tool by. Say what it does, up to the first 。, in 6 characters or more.`,
          },
        ]
      : [],
  );
}
