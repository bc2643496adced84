import { configSchema } from '../schemas/config.js';
import { SAYS } from '../schemas/says.js';
import { objectKinds } from '../objects/kinds.js';

type Node = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schemas for editors and programs, by file name: `bailing.schema.json` for the whole file, one for each kind of object. */
export function jsonSchemas(): ReadonlyMap<string, Node> {
  const whole: Node = { $schema: DIALECT, title: 'bailing.yaml', ...described(configSchema as Node, '') };
  const kinds = objectKinds.map(({ noun, member, schema }) => {
    const name = noun === 'administrator' ? 'admin' : noun.replaceAll(' ', '-');
    return [`${name}.schema.json`, { $schema: DIALECT, title: noun, ...described(schema as Node, `${member}[]`) }] as const;
  });
  return new Map([['bailing.schema.json', whole], ...kinds]);
}

/** The schema with the sentence of each field. */
function described(schema: Node, path: string): Node {
  const properties = schema['properties'] as Readonly<Record<string, Node>> | undefined;
  const items = schema['items'] as Node | undefined;
  const either = schema['anyOf'] as readonly Node[] | undefined;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => {
          const at = path === '' ? name : `${path}.${name}`;
          const says = SAYS[at];
          return [name, { ...(says !== undefined && { description: says }), ...described(child, at) }];
        }),
      ),
    }),
    ...(items && { items: described(items, `${path}[]`) }),
    ...(either && { anyOf: either.map((one) => described(one, path)) }),
  };
}
