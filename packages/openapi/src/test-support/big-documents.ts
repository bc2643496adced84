import { dump } from 'js-yaml';
import { capability, jsonBody, query } from './document.js';

type Members = Record<string, unknown>;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const merged = (list: readonly Members[]): Members => Object.assign({}, ...list) as Members;
const document = (paths: Members, components: Members = {}, version = '3.0.3', more: Members = {}): Members => ({
  openapi: version,
  info: { title: 'Big', version: '1' },
  paths,
  components,
  ...more,
});
const idParameter: Members = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Number',
  schema: { type: 'string', pattern: '^[a-z0-9]+$' },
};
const ok: Members = { responses: { '200': { description: 'OK' } } };
const low: Members = { risk: { level: 'low' } };

/** Reading, listing, creating, changing and removing of many kinds of things, with the number in the path item. */
function crud(kinds: number): Members {
  return document(
    merged(
      times(kinds, (i) => ({
        [`/things${i}`]: {
          get: {
            operationId: `list_things_${i}`,
            summary: `List the things of kind ${i}`,
            'x-agent-capability': capability({ scope: `thing${i}.list` }),
            parameters: [query('page', { type: 'integer', minimum: 1 }), query('state', { type: 'string', enum: ['open', 'done'] })],
            ...ok,
          },
          post: {
            operationId: `create_things_${i}`,
            summary: `Create a thing of kind ${i}`,
            'x-agent-capability': capability({
              scope: `thing${i}.create`,
              ...low,
              approval: { when: [{ param: 'amount', op: '>', value: i }] },
            }),
            ...jsonBody({ $ref: `#/components/schemas/Thing${i}` }),
            ...ok,
          },
        },
        [`/things${i}/{id}`]: {
          parameters: [idParameter],
          get: {
            operationId: `read_things_${i}`,
            summary: `Read one thing of kind ${i}`,
            'x-agent-capability': capability({ scope: `thing${i}.read` }),
            ...ok,
          },
          put: {
            operationId: `change_things_${i}`,
            summary: `Change a thing of kind ${i}`,
            'x-agent-capability': capability({ scope: `thing${i}.change`, ...low }),
            ...jsonBody({ $ref: `#/components/schemas/Thing${i}` }),
            ...ok,
          },
          delete: {
            operationId: `remove_things_${i}`,
            summary: `Remove a thing of kind ${i}`,
            'x-agent-capability': capability({ scope: `thing${i}.remove`, risk: { level: 'high' }, subject: { required: true } }),
            ...ok,
          },
        },
      })),
    ),
    {
      schemas: merged(
        times(kinds, (i) => ({
          [`Thing${i}`]: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', description: 'Name', minLength: 1 },
              amount: { type: 'number', description: 'Amount' },
              tags: { type: 'array', description: 'Tags', items: { type: 'string' } },
            },
          },
        })),
      ),
    },
  );
}

/** Schemas in circular rings of eight, and one schema that reaches them all. */
export function rings(operations: number): Members {
  const schemas = times(Math.max(8, Math.ceil(operations / 4)), (i) => {
    const ring = i - (i % 8);
    return {
      [`Node${i}`]: {
        type: 'object',
        required: ['value'],
        properties: {
          value: { type: 'integer', description: 'Value' },
          next: { $ref: `#/components/schemas/Node${ring + ((i + 1 - ring) % 8)}` },
        },
      },
    };
  });
  const count = schemas.length - (schemas.length % 8);
  return document(
    merged(
      times(operations, (i) => ({
        [`/nodes/${i}`]: {
          post: {
            operationId: `node_${i}`,
            summary: `Send a node of ring ${i}`,
            'x-agent-capability': capability({ scope: 'node.send', ...low }),
            ...jsonBody({ $ref: `#/components/schemas/Node${i % count}` }),
            ...ok,
          },
        },
      })),
    ),
    { schemas: merged(schemas.slice(0, count)) },
    '3.1.0',
  );
}

function chinese(count: number): Members {
  const verbs = ['查询', '新增', '修改', '删除'];
  const nouns = ['门店', '员工', '订单', '商品', '优惠券'];
  return document(
    merged(
      times(count, (i) => {
        const read = i % 4 === 0;
        const summary = i % 10 === 9 ? '列表接口' : `${verbs[i % 4] ?? ''}${nouns[i % 5] ?? ''}信息第${i}号`;
        const parameters = [query('关键词', { type: 'string' }), query('pageNo', { type: 'integer' })];
        return {
          [`/api/${i}/${read ? 'list' : 'save'}`]: {
            [read ? 'get' : 'post']: {
              summary,
              'x-agent-capability': capability({
                scope: `tenant.m${i % 5}.${read ? 'read' : 'write'}`,
                ...(read ? {} : { risk: { level: 'medium' } }),
              }),
              ...(read
                ? { parameters }
                : jsonBody({ type: 'object', required: ['名称'], properties: { 名称: { type: 'string', description: '名称' } } })),
              ...ok,
            },
          },
        };
      }),
    ),
  );
}

function duplicates(count: number): Members {
  return document(
    merged(
      times(count, (i) => ({
        [`/d/${i}`]: {
          get: {
            operationId: i % 4 === 0 ? `same_${i % 8}` : `own_${i}`,
            summary: `Read the thing number ${i}`,
            'x-agent-capability': capability({ scope: 'd.read' }),
            parameters: [query('q', { type: 'string' })],
            ...ok,
          },
        },
      })),
    ),
  );
}

function forms(count: number): Members {
  const fields: Members = {
    name: { type: 'string', description: 'Name' },
    tags: { type: 'array', items: { type: 'string' }, description: 'Tags' },
    file: { type: 'string', format: 'binary', description: 'File' },
    url: { type: 'string', format: 'uri', description: 'Where the file is' },
  };
  const body = (i: number): Members => {
    const { file, ...plain } = fields;
    const properties = i % 3 === 2 ? { ...plain, file } : plain;
    const schema = { type: 'object', required: i % 6 === 5 ? ['name', 'file'] : ['name'], properties };
    return {
      requestBody: { required: true, content: { [i % 3 === 0 ? 'application/x-www-form-urlencoded' : 'multipart/form-data']: { schema } } },
    };
  };
  return document(
    merged(
      times(count, (i) => ({
        [`/f/${i}`]: {
          post: {
            operationId: `form_${i}`,
            summary: `Send the form number ${i}`,
            'x-agent-capability': capability({ scope: 'f.send', ...low }),
            ...body(i),
            ...ok,
          },
        },
      })),
    ),
  );
}

function filters(count: number): Members {
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

function pathItems(count: number): Members {
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

function actions(count: number): Members {
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

function partlyDeclared(count: number): Members {
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

function nullables(count: number): Members {
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

function servers(count: number): Members {
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

/** Documents of over a hundred operations, made here so that the repository stays small. */
export const bigDocuments: Readonly<Record<string, () => string>> = {
  '41-big-crud.json': () => JSON.stringify(crud(24), null, 2),
  '42-big-crud.yaml': () => dump(crud(24)),
  '43-big-rings.json': () => JSON.stringify(rings(128)),
  '44-big-chinese.yaml': () => dump(chinese(110)),
  '45-big-duplicates.json': () => JSON.stringify(duplicates(104), null, 1),
  '46-big-forms.yaml': () => dump(forms(108)),
  '47-big-filters.json': () => JSON.stringify(filters(120), null, 2),
  '48-big-path-items.yaml': () => dump(pathItems(120)),
  '49-big-actions.json': () => JSON.stringify(actions(105), null, 2),
  '50-big-partly-declared.yaml': () => dump(partlyDeclared(200)),
  '51-big-nullables.json': () => JSON.stringify(nullables(102), null, 2),
  '52-big-servers.yaml': () => dump(servers(101)),
};
