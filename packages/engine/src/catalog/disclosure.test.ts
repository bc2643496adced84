import type { ToolDraft } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { RouteSettings, Settings } from '../ports/index.js';
import { Exposure } from '../brain/exposure.js';
import { Catalogue } from './catalogue.js';
import { searchTools, tokenize } from './disclosure.js';
import { makeRevision } from './revision.js';
import type { View } from './visible.js';

const SAYS: readonly (readonly [name: string, says: string])[] = [
  ['staff_list', '查询门店员工列表。按门店返回'],
  ['order_get', 'Query one order by its number. Shows the lines.'],
  ['orderRefund', 'Refund an order. Needs the amount.'],
  ['coupon_issue', '发放优惠券给会员。'],
  ['member_find', '按手机号查会员'],
  ...Array.from({ length: 12 }, (_, i): [string, string] => [`filler_${String(i).padStart(2, '0')}`, 'Something else entirely.']),
];

function viewOf(tools = SAYS): View {
  const drafts = tools.map(([name, says]): ToolDraft => ({
    ...{ name, says, method: 'GET', path: `/${name}`, input: { type: 'object', properties: {} }, binding: { kind: 'http' } },
    acc: { version: 1, enabled: true, scope: `shop.${name}` },
  }));
  const catalogue = new Catalogue();
  const schema = { compile: () => () => [] };
  catalogue.install('shop', makeRevision('shop', JSON.stringify(drafts), { drafts, operations: [], document: [] }, schema));
  const route = { route_key: 'r', tools: { sources: [{ provider: 'shop', allow: ['*'] }], max_calls: 5 } } as unknown as RouteSettings;
  const settings = { rev: 1, provider: () => ({ enabled: true }) } as unknown as Settings;
  return catalogue.view(route, settings, new Map());
}

describe('words that find tools', () => {
  it('are cut at every script: names in camel and snake case, Chinese in pairs', () => {
    expect(tokenize('refundOrders_v2')).to.deep.equal(['refund', 'orders', 'v2']);
    expect(tokenize('查询门店A1员工')).to.deep.equal(['查询', '询门', '门店', 'a1', '员工']);
    expect(tokenize('券，ok')).to.deep.equal(['券', 'ok']);
    expect(tokenize('  ')).to.deep.equal([]);
  });

  it('find by meaning words in Chinese and English, by the beginning of a word and with a slip of the pen', () => {
    const view = viewOf();
    expect(searchTools(view, '门店的员工', 3)[0]).to.equal('staff_list');
    expect(searchTools(view, '优惠券', 3)[0]).to.equal('coupon_issue');
    expect(searchTools(view, 'refund', 3)[0]).to.equal('orderRefund');
    expect(searchTools(view, 'refnud the ordr', 3)).to.include('orderRefund');
    expect(searchTools(view, 'coup', 3)[0]).to.equal('coupon_issue');
    expect(searchTools(view, '完全无关的词语呀', 3)).to.deep.equal([]);
    expect(searchTools(view, '', 3)).to.deep.equal([]);
    expect(searchTools(view, '查'.repeat(100_000), 3)).to.be.an('array');
  });

  it('give the same answer every time, equals in the order of the catalogue', () => {
    const view = viewOf();
    expect(searchTools(view, 'something else', 5)).to.deep.equal(['filler_00', 'filler_01', 'filler_02', 'filler_03', 'filler_04']);
    expect(searchTools(view, 'something else', 5)).to.deep.equal(searchTools(viewOf(), 'something else', 5));
  });

  it('serve find_tools: names first, then words; what was found stays offered', () => {
    const exposure = new Exposure(viewOf());
    expect(exposure.mode).to.equal('catalog');
    expect(exposure.find(['order_get']).found).to.deep.equal(['order_get']);
    expect(exposure.find(['优惠券', 'order_get']).found).to.deep.equal(['coupon_issue', 'order_get']);
    expect(exposure.offered().map(({ name }) => name)).to.deep.equal(['find_tools', 'coupon_issue', 'order_get']);
    expect(exposure.find(['qqqq']).text).to.match(/No tool/);
    expect(exposure.catalogue()).to.have.length(SAYS.length);
  });
});
