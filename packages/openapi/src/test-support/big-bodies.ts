import { capability, jsonBody, query } from './document.js';

import { document, idParameter, low, merged, ok, times, type Members } from './big-shapes.js';

/** Reading, listing, creating, changing and removing of many kinds of things, with the number in the path item. */
export function crud(kinds: number): Members {
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

export function chinese(count: number): Members {
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

export function duplicates(count: number): Members {
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

export function forms(count: number): Members {
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
