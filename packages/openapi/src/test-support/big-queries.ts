import { document, low, merged, ok, times, type Members } from './big-shapes.js';
import { capability, jsonBody, query } from './document.js';

export function filters(count: number): Members {
  const word = { type: 'string', pattern: '^[a-z]+$' };
  const styles: Members[] = [
    query(
      'filter',
      { type: 'object', properties: { state: word, owner: word }, additionalProperties: false },
      { style: 'deepObject', explode: true },
    ),
    query('fields', { type: 'array', items: word }, { style: 'form', explode: true }),
    query('sort', { type: 'array', items: word }, { style: 'form', explode: false }),
    query('ids', { type: 'array', items: { type: 'integer' } }, { style: 'pipeDelimited', explode: false }),
    query('near', { type: 'array', items: { type: 'array', items: { type: 'number' } } }),
    query('where', { type: 'object', properties: { a: word } }),
  ];
  return document(
    merged(
      times(count, (i) => ({
        [`/s/${i}`]: {
          get: {
            operationId: `search_${i}`,
            summary: `Search the index number ${i}`,
            'x-agent-capability': capability({ scope: 's.read' }),
            parameters: [styles[i % 6], styles[(i + 1) % 6]],
            ...ok,
          },
        },
      })),
    ),
  );
}

export function pathItems(count: number): Members {
  const items = times(Math.ceil(count / 4), (i) => ({
    [`Item${i}`]: {
      parameters: [{ $ref: '#/components/parameters/Lang' }],
      get: {
        operationId: `item_${i}`,
        summary: `Read the item number ${i}`,
        'x-agent-capability': capability({ scope: 'i.read' }),
        parameters: [query('v', { type: 'string' })],
        ...ok,
      },
    },
  }));
  const paths = times(count, (i) => ({
    [`/i/${i}`]:
      i % 4 === 0
        ? { $ref: `#/components/pathItems/Item${i / 4}` }
        : {
            get: {
              operationId: `plain_${i}`,
              summary: `Read the plain item number ${i}`,
              'x-agent-capability': capability({ scope: 'i.read' }),
              parameters: [{ $ref: i % 40 === 1 ? '#/components/parameters/Lost' : '#/components/parameters/Lang' }],
              ...ok,
            },
          },
  }));
  return document(
    merged(paths),
    { pathItems: merged(items), parameters: { Lang: query('lang', { type: 'string', enum: ['en', 'zh'] }) } },
    '3.1.0',
  );
}

export function actions(count: number): Members {
  return document(
    merged(
      times(count, (i) => ({
        [i % 3 === 0 ? `/#Action=Do${i}` : `/act?Action=Do${i}`]: {
          get: {
            operationId: `Action_Do${i}`,
            summary: `Do the action number ${i}`,
            'x-agent-capability': capability({ scope: 'a.do' }),
            parameters: [query('Name', { type: 'string' })],
            ...ok,
          },
        },
      })),
    ),
  );
}

export function partlyDeclared(count: number): Members {
  return document(
    merged(
      times(count, (i) => ({
        [`/m/${i}`]: {
          get: {
            operationId: `m_${i}`,
            summary: `Read the module number ${i}`,
            deprecated: i % 20 === 0,
            ...(i % 5 === 0 ? { 'x-agent-capability': capability({ scope: 'm.read', ...(i % 25 === 0 ? { version: 2 } : {}) }) } : {}),
            ...ok,
          },
        },
      })),
    ),
  );
}

export function nullables(count: number): Members {
  const schema = (i: number): Members => ({
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: ['string', 'null'], description: 'A' },
      b: { anyOf: [{ type: 'integer', exclusiveMinimum: i }, { type: 'null' }], description: 'B' },
      c: { const: i, description: 'C' },
      d: {
        type: 'object',
        description: 'D',
        dependentRequired: { x: ['y'] },
        properties: { x: { type: 'string' }, y: { type: 'string' } },
      },
    },
  });
  return document(
    merged(
      times(count, (i) => ({
        [`/n/${i}`]: {
          put: {
            operationId: `n_${i}`,
            summary: `Set the value number ${i}`,
            'x-agent-capability': capability({ scope: 'n.set', ...low, approval: { when: [{ param: 'b', op: '>=', value: i }] } }),
            ...jsonBody(schema(i)),
            ...ok,
          },
        },
      })),
    ),
    {},
    '3.1.0',
  );
}

export function servers(count: number): Members {
  return document(
    merged(
      times(count, (i) => ({
        [`/v/${i}`]: {
          servers: [{ url: i % 3 === 0 ? `https://v${i}.example.com/api/v${i % 7}` : `/api/v${i % 7}` }],
          get: {
            operationId: `v_${i}`,
            summary: `Read the version number ${i}`,
            'x-agent-capability': capability({ scope: 'v.read' }),
            ...ok,
          },
        },
      })),
    ),
    {},
    '3.0.3',
    { servers: [{ url: 'https://api.example.com/api' }] },
  );
}
