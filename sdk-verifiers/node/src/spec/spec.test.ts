import { expect } from 'chai';
import { buildOpenApiSpec, param, SpecError, specWarnings, tool } from '../index.js';

const plain = { path: '/ping', scope: 'shop.ping', description: 'Answers that it is there' };

describe('the spec builder', () => {
  it('takes tools declared before or in place, and leaves them as they were', () => {
    const declared = tool({ ...plain, params: [param('a')] });
    const before = structuredClone(declared);
    const built = buildOpenApiSpec({ title: 'Shop', version: '1', tools: [declared] });
    expect(built).to.deep.equal(buildOpenApiSpec({ title: 'Shop', version: '1', tools: [{ ...plain, params: [{ name: 'a' }] }] }));
    expect(declared).to.deep.equal(before);
    expect(declared.name).to.equal('post_ping');
  });

  it('names the tool, the code and what to do when one cannot be declared', () => {
    const build = () => buildOpenApiSpec({ title: 'Shop', version: '1', tools: [{ ...plain, name: 'send_message' }] });
    expect(build)
      .to.throw(SpecError, 'Tool "send_message": the hub has a tool of its own with this name. Choose another.')
      .with.property('code', 'reserved_name');
  });

  it('writes a low risk that the author stated, for the hub would derive medium', () => {
    const { paths } = buildOpenApiSpec({ title: 'Shop', version: '1', tools: [{ ...plain, risk: 'low' }] });
    expect(paths['/ping']?.['post']).to.have.nested.property('x-agent-capability.risk.level', 'low');
  });

  it('warns of a first sentence by which nobody can choose the tool', () => {
    const [warning, ...more] = specWarnings({ tools: [{ ...plain, description: '查库存。按仓库查询订单的库存' }, plain] });
    expect(warning).to.deep.include({ code: 'short_first_sentence', tool: 'post_ping' });
    expect(warning?.message).to.match(/first sentence/);
    expect(more).to.deep.equal([]);
  });
});
