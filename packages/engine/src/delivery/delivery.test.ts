import { expect } from 'chai';
import type { JobRow, RouteSettings } from '../ports/index.js';
import { attachmentsOf } from './attachments.js';
import { deliverable, deliveryBody } from './body.js';
import { deliveriesOf } from './deliveries.js';

const ROUTE = { route_key: 'refunds', name: 'Refunds', delivery: { type: 'webhook', url: 'https://biz.example/d' } } as RouteSettings;
const job = (more: Partial<JobRow> = {}): JobRow => ({
  ...{ id: 'j-1', requestId: 'r-1', owner: 'crm', route: 'refunds', target: 'llm', source: 'crm', input: 'x', metadata: '{}' },
  ...{ principalId: null, sessionId: 's', isContinue: false, maxAttempts: 1, createdAt: 0, status: 'done', error: null, usage: null },
  ...{ result: '{"text":"All done."}', attempts: 0, callsUsed: 0, updatedAt: 1_000, callbackUrl: null },
  ...more,
});
const end = (more: object = {}) => ({ status: 'done' as const, result: '{"text":"x"}', error: null, usage: null, lines: [], ...more });
const kinds = (one: JobRow, ended = end(), route: RouteSettings | undefined = ROUTE) => {
  const { outgoing, lines } = deliveriesOf(one, 'c-1', ended, route, 0);
  return [
    outgoing.map(({ kind }) => kind),
    lines.map(({ event, detail }) => `${event} ${(JSON.parse(detail) as { reason: string }).reason}`),
  ];
};

describe('Deliveries of a job that ended', () => {
  it('are its callback and the webhook of its route, each under a name of this run', () => {
    const { outgoing } = deliveriesOf(job({ callbackUrl: 'https://biz.example/cb' }), 'c-1', end(), ROUTE, 0);
    expect(outgoing.map(({ dedupe, signAs, body }) => [dedupe, signAs, body])).to.deep.equal([
      ['callback:j-1:c-1', 'crm', null],
      ['delivery:j-1:c-1', 'crm', null],
    ]);
    expect(JSON.parse(outgoing[0]?.target ?? '')).to.deep.equal({ url: 'https://biz.example/cb', trusted: false });
    expect(deliveriesOf(job({ owner: 'admin', callbackUrl: 'https://a.example' }), 'c', end(), undefined, 0).outgoing[0]?.signAs).to.equal(
      '',
    );
  });

  it('are left out where nothing is to be said, and say why', () => {
    expect(kinds(job({ metadata: '{"no_delivery":1}' }))).to.deep.equal([[], ['delivery_skipped no_delivery']]);
    expect(kinds(job(), end({ result: '{"text":" "}' }))).to.deep.equal([[], ['delivery_skipped nothing_to_deliver']]);
    expect(kinds(job(), end({ status: 'error', result: null, error: 'no model' }))).to.deep.equal([['delivery'], []]);
    expect(kinds(job({ callbackUrl: 'https://a.example' }), end({ status: 'rejected' }))).to.deep.equal([['callback'], []]);
    expect(kinds(job({ source: 'delivery' }))).to.deep.equal([[], []]);
    expect(kinds(job(), end(), { ...ROUTE, delivery: { type: 'none' } })).to.deep.equal([[], []]);
  });

  it('go to whom the metadata names, as text or number, and to the `to` of the route where it names nobody', () => {
    const to = (metadata: object, more: object = { to: '+49' }) => {
      const route = { ...ROUTE, delivery: { type: 'channel', channel: 'ops', to_field: 'phone', ...more } };
      const { outgoing } = deliveriesOf(job({ metadata: JSON.stringify(metadata) }), 'c', end(), route, 0);
      return (JSON.parse(outgoing[0]?.target ?? '{}') as { to?: unknown }).to;
    };
    expect(to({ phone: 4912345 })).to.deep.equal(['4912345']);
    expect(to({ phone: [4912345, 'a|b', 'a', null] })).to.deep.equal(['4912345', 'a', 'b']);
    for (const phone of [null, true, {}, [], [null], '', ' | ', 2 ** 60, undefined])
      expect(to({ phone }), JSON.stringify(phone)).to.deep.equal(['+49']);
    expect(to({ phone: null }, {})).to.deep.equal([]);
    const sms = { ...ROUTE, delivery: { type: 'sms', to: '+49', to_field: 'phone' } };
    const { outgoing, lines } = deliveriesOf(job({ metadata: '{"phone":4912345}' }), 'c', end(), sms, 0);
    expect([outgoing.map(({ kind }) => kind), lines]).to.deep.equal([['delivery_executor'], []]);
    expect(JSON.parse(outgoing[0]?.target ?? '')).to.include({ to: '4912345' });
  });

  it('carry a message for people: a text, a report, a failure', () => {
    const read = (one: JobRow) => JSON.parse(deliveryBody(one, 'Refunds')) as Record<string, unknown>;
    expect(read(job()).message).to.equal('Refunds\nAll done.\n— Bailing');
    expect(String(read(job({ result: JSON.stringify({ text: 'y'.repeat(5_000) }) })).message)).to.have.length(7 + 1 + 1_800 + 1 + 9);
    const report = {
      title: 'Outage',
      summary: 'Down',
      severity: 'high',
      category: 'net',
      evidence: Array(12).fill('e'),
      next_step: 'Call',
    };
    const lines = String(read(job({ result: JSON.stringify({ report }) })).message).split('\n');
    expect(lines).to.deep.equal(['Outage', 'Down', 'high / net', ...Array<string>(8).fill('- e'), 'Call']);
    const failed = read(job({ status: 'error', result: null, error: 'z'.repeat(900) }));
    expect([failed.message, failed.text, failed.report]).to.deep.equal([`Refunds: failed\n${'z'.repeat(500)}`, null, null]);
    expect(failed.finished_at).to.equal('1970-01-01T00:00:01.000Z');
    expect(deliverable({ status: 'done', result: '{}', error: null })).to.equal(false);
  });
});

describe('Attachments of a Markdown text', () => {
  it('are images, files and audio, in this order, each address once', () => {
    const text = `[voice note](https://a.example/1) ![a chart](https://a.example/c.png) [Q3](https://a.example/q.xlsx?v=2)
      [附件一](https://a.example/x) [again](https://a.example/q.xlsx?v=2) [song](https://a.example/s.mp3) [site](https://a.example/) [x](ftp://a.example/a.pdf)`;
    expect(attachmentsOf(text)).to.deep.equal([
      { type: 'image', url: 'https://a.example/c.png', caption: 'a chart' },
      { type: 'file', url: 'https://a.example/q.xlsx?v=2', name: 'Q3' },
      { type: 'file', url: 'https://a.example/x', name: '附件一' },
      { type: 'audio', url: 'https://a.example/1', name: 'voice note' },
      { type: 'audio', url: 'https://a.example/s.mp3', name: 'song' },
    ]);
  });

  it('are found in bounded time in texts made to be slow, and are at most a hundred', () => {
    const began = Date.now();
    expect(attachmentsOf('!['.repeat(50_000))).to.deep.equal([]);
    expect(attachmentsOf(`[a](https://${'x'.repeat(200_000)}`)).to.deep.equal([]);
    expect(Date.now() - began).to.be.lessThan(2_000);
    const many = Array.from({ length: 300 }, (_, i) => `![i](https://a.example/${String(i)})`).join(' ');
    expect(attachmentsOf(many)).to.have.length(100);
  });
});
