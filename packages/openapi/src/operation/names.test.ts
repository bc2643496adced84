import { expect } from 'chai';
import { capability, compileOne, documentOf } from '../test-support/document.js';

type Members = Record<string, unknown>;
const errorsOf = (text: string, index = 0) => compileOne(text, index).said.filter((one) => one.startsWith('error'));

describe('the name of a tool', () => {
  const named = (operation: Members, path = '/a', method = 'get'): unknown => ({
    [path]: { [method]: { summary: 'Find the things', 'x-agent-capability': capability(), ...operation } },
  });
  const nameOf = (paths: unknown) => compileOne(documentOf(paths)).draft?.name;

  it('is the operationId as written, else method and path', () => {
    expect(nameOf(named({ operationId: 'order_Read2' }))).to.equal('order_Read2');
    expect(nameOf(named({}, '/openTenantApi/staff-list/'))).to.equal('get_openTenantApi_staff_list');
    expect(nameOf(named({}, '/opentenantapi/staff/list'))).to.equal('get_opentenantapi_staff_list');
    expect(nameOf(named({ operationId: '' }, '/x'))).to.equal('get_x');
  });

  it('is cut with a piece of its hash, so that cutting never makes two alike', () => {
    const [a, b] = ['a'.repeat(70), `${'a'.repeat(69)}b`];
    const { report } = compileOne(
      documentOf({ ...(named({ operationId: a }, '/a') as Members), ...(named({ operationId: b }, '/b') as Members) }),
    );
    const names = report.drafts.map((one) => one.name);
    expect(names.every((name) => name.length === 64 && name.startsWith('a'.repeat(55)))).to.equal(true);
    expect(new Set(names).size).to.equal(2);
    expect(nameOf(named({ operationId: 'a'.repeat(64) }))).to.equal('a'.repeat(64));
  });

  it('is refused where it is not legal, reserved, or not a string, with a name that would do', () => {
    const one = compileOne(documentOf(named({ operationId: 'orders.list-all' })));
    expect(one.operation.diagnostics[0]).to.include({ code: 'invalid_name', suggestion: 'Call it orders_list_all.' });
    expect(errorsOf(documentOf(named({ operationId: '1st' })))).to.deep.equal(['error invalid_name /paths/~1a/get/operationId']);
    expect(errorsOf(documentOf(named({ operationId: 7 })))).to.deep.equal(['error invalid_name /paths/~1a/get/operationId']);
    for (const operationId of ['send_message', 'find_tools', 'search_tools', 'see_image'])
      expect(errorsOf(documentOf(named({ operationId })))).to.deep.equal(['error reserved_name /paths/~1a/get/operationId']);
  });

  it('claimed twice is refused for both; claimed beside an undeclared operation it is a warning', () => {
    const twice = documentOf({
      ...(named({ operationId: 'same' }, '/a') as Members),
      ...(named({ operationId: 'same' }, '/b') as Members),
      '/c': { get: { operationId: 'same' } },
    });
    expect([errorsOf(twice, 0), errorsOf(twice, 1)]).to.deep.equal([
      ['error duplicate_operation_id /paths/~1a/get/operationId'],
      ['error duplicate_operation_id /paths/~1b/get/operationId'],
    ]);
    const slugs = documentOf({ ...(named({}, '/a/b') as Members), ...(named({}, '/a-b') as Members) });
    expect([errorsOf(slugs, 0), errorsOf(slugs, 1)]).to.deep.equal([
      ['error duplicate_name /paths/~1a~1b/get'],
      ['error duplicate_name /paths/~1a-b/get'],
    ]);
    const beside = documentOf({ ...(named({ operationId: 'same' }, '/a') as Members), '/c': { get: { operationId: 'same' } } });
    expect(compileOne(beside).said).to.deep.equal(['warning duplicate_operation_id /paths/~1a/get/operationId']);
  });

  it('is the same after the document is written in another order', () => {
    const [a, b] = [named({ operationId: 'x'.repeat(80) }, '/a'), named({ operationId: `${'x'.repeat(79)}y` }, '/b')] as [Members, Members];
    const names = (paths: unknown) => new Map(compileOne(documentOf(paths)).report.drafts.map((one) => [one.path, one.name]));
    expect(names({ ...b, ...a }).get('/a')).to.equal(names({ ...a, ...b }).get('/a'));
  });
});
