import type { Channel, ChannelContext, ChannelMessage, ChannelPart, PartSent } from '@bailing/plugin-api';
import { BailingError, ChannelFailure } from '@bailing/plugin-api';
import { expect } from 'chai';
import { Exposure } from '../brain/exposure.js';
import type { View } from '../catalog/index.js';
import { readSendArgs, sendProblems } from './arguments.js';
import { deliverAll, type PartNote } from './deliver.js';
import { sendEvidence } from './evidence.js';
import { grantedFor } from './tool.js';

const problems = (args: Record<string, unknown>, channels = ['ops']) =>
  sendProblems(readSendArgs(args, channels), channels).map(({ at }) => at);

describe('the arguments of send_message (WIRE §13.1)', () => {
  it('become one form: recipients each once, the only channel named, empty files gone', () => {
    const args = { to: ' u1|u2 |u1|', text: ' Hi \n', files: [{ name: 'a.txt' }, { name: 'b', content: 'x' }, { name: 'c', url: '' }] };
    const read = readSendArgs(args, ['ops']);
    expect(read).to.deep.equal({ channel: 'ops', to: ['u1', 'u2'], text: 'Hi', files: [{ name: 'b', content: 'x' }] });
    expect(readSendArgs(read, ['ops'])).to.deep.equal(read);
    expect(readSendArgs({ to: ['u1', 'u2|u1'], text: 'x' }, ['a', 'b'])).to.deep.equal({ to: ['u1', 'u2'], text: 'x' });
  });

  it('are refused where they are no message, by the member', () => {
    expect(problems({ to: 'u1', text: 'x' })).to.deep.equal([]);
    expect(problems({ to: 'u1', text: '', files: [{ name: 'a', content: 'x' }] })).to.deep.equal([]);
    expect(problems({ to: '', text: 'x' })).to.deep.equal(['to']);
    expect(problems({ to: 7, text: 'x' })).to.deep.equal(['to']);
    expect(problems({ to: 'u1', text: ' ' })).to.deep.equal(['text']);
    expect(problems({ to: 'u1', text: 'x', cc: 'u2' })).to.deep.equal(['cc']);
    expect(problems({ to: 'u1', text: 'x' }, ['a', 'b'])).to.deep.equal(['channel']);
    expect(problems({ to: 'u1', text: 'x', channel: 'other' })).to.deep.equal(['channel']);
    expect(problems({ to: Array.from({ length: 1_001 }, (_, n) => `u${String(n)}`), text: 'x' })).to.deep.equal(['to']);
    const file = (more: object) => problems({ to: 'u1', text: 'x', files: [{ name: 'a', content: 'x', ...more }] });
    expect([file({ url: 'https://x.example' }), file({ name: '../a' }), file({ mode: 1 })].flat()).to.have.length(3);
    for (const url of ['file:///etc/passwd', 'https://usr:pw@x.example/a', 'https://usr@x.example/a'])
      expect(problems({ to: 'u1', text: 'x', files: [{ name: 'a', url }] }), url).to.deep.equal(['files[0]']);
    expect(problems({ to: 'u1', text: 'x', files: Array.from({ length: 6 }, () => ({ name: 'a', content: 'x' })) })).to.deep.equal([
      'files',
    ]);
  });

  it('show a channel to choose only where there are several', () => {
    const shown = (channels: string[]) => grantedFor(channels).tool.definition.input as { properties: object; required: string[] };
    expect(shown(['a']).properties).not.to.have.property('channel');
    expect(shown(['a', 'b'])).to.deep.include({ required: ['channel', 'to', 'text'] });
  });

  it('belong to a tool that is offered whatever the catalogue, first, and counted apart', () => {
    const business = Array.from({ length: 13 }, (_, n) => ({
      tool: { definition: { ...grantedFor(['ops']).tool.definition, name: `tool_${String(n)}`, provider: 'shop' } },
    }));
    const view = (count: number) =>
      ({
        tools: new Map([
          ['send_message', grantedFor(['ops'])],
          ...business.slice(0, count).map((one) => [one.tool.definition.name, one] as const),
        ]),
      }) as unknown as View;
    expect(new Exposure(view(0)).offered().map(({ name }) => name)).to.deep.equal(['send_message']);
    expect(new Exposure(view(12)).mode).to.equal('inline');
    expect(new Exposure(view(12)).offered()[0]?.name).to.equal('send_message');
    const many = new Exposure(view(13));
    expect(many.mode).to.equal('catalog');
    expect(many.offered().map(({ name }) => name)).to.deep.equal(['find_tools', 'send_message']);
    expect(many.catalogue()).to.have.length(13);
  });

  it('leave in audit who, how much and which files, but no text and no query of an address', () => {
    const args = {
      channel: 'ops',
      to: ['u1', 'u2'],
      text: 'secret words',
      files: [
        { name: 'a', content: 'hello\n' },
        { name: 'b', url: 'https://x.example/b?key=1' },
      ],
    };
    const kept = sendEvidence(args);
    expect(kept).to.include({ channel: 'ops', to: 'u1|u2', recipients: 2, chars: 12 });
    expect(kept.files).to.deep.equal([
      { name: 'a', bytes: 6, sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03', content: 'hello\n' },
      { name: 'b', url: 'https://x.example/b' },
    ]);
    expect(JSON.stringify(kept)).not.to.include('words');
  });
});

describe('the parts of a message', () => {
  const message: ChannelMessage = { recipients: ['u1', 'u2'], text: 'x', images: [], files: [] };
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

  /** A channel of as many parts as there are answers; what is thrown is thrown. */
  async function deliver(
    answers: readonly (PartSent | Error)[],
    more: Partial<Channel<number>> = {},
    sendBy = 100,
    whole = message,
    signal = new AbortController().signal,
  ) {
    const delivered: number[] = [];
    const notes: PartNote[] = [];
    const logged: string[] = [];
    const channel: Channel<number> = {
      prepare: () => Promise.resolve(answers.map((_, n) => ({ says: `part ${String(n)}`, body: n }))),
      deliver: ({ body }) => {
        delivered.push(body);
        const answer = answers[body] ?? { is: 'unknown', why: 'no such part' };
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      ...more,
    };
    let now = 0;
    const context: ChannelContext = { job: 'j', key: 'k', at: 0, sendBy, signal };
    const blank = (text: string) => text.replaceAll('tok-planted', '…');
    const open = { name: 'ops', kind: 'memory', revision: '', timeoutMs: 100, channel, blank };
    const deps = {
      clock: { now: () => (now += 1) },
      log: { ...quiet, error: (...said: unknown[]) => void logged.push(JSON.stringify(said)) },
      note: (_: string, note: PartNote) => Promise.resolve(void notes.push(note)),
    };
    return { end: await deliverAll(open, whole, context, deps), delivered, notes, logged };
  }
  const ok: PartSent = { is: 'accepted' };
  const no: PartSent = { is: 'refused', why: 'no' };

  it('all accepted are a message that was sent, with a note of each where there are several', async () => {
    const { end, notes } = await deliver([ok, ok]);
    expect(end).to.deep.equal({ is: 'delivered', parts: 2 });
    expect(notes.map(({ part, of, state }) => [part, of, state])).to.deep.equal([
      [1, 2, 'accepted'],
      [2, 2, 'accepted'],
    ]);
    expect((await deliver([ok])).notes).to.deep.equal([]);
  });

  it('refused at the first are a plain no, refused later leave the whole message unknown, and nothing after it is sent', async () => {
    expect((await deliver([no, ok])).end).to.deep.equal({ is: 'refused', why: 'no', later: false });
    const { end, delivered } = await deliver([ok, no, ok]);
    expect(end).to.deep.equal({
      is: 'unknown',
      why: 'partly_sent: 1 of 3 parts were accepted, then part 1: no; not sent: part 3 of 3, for 2 recipients',
    });
    expect(delivered).to.deep.equal([0, 1]);
  });

  it('that throw, or whose answer is unknown, are unknown, without the words of a stranger', async () => {
    expect((await deliver([new Error('https://x/?token=hidden')])).end).to.deep.equal({
      is: 'unknown',
      why: 'possibly_sent: the channel failed while it sent',
    });
    expect((await deliver([ok, { is: 'unknown', why: 'reset' }])).end).to.deep.equal({
      is: 'unknown',
      why: 'partly_sent: 1 of 2 parts were accepted, then part 1: reset',
    });
  });

  it('that only some recipients got are unknown with the names of the others; that nobody got are a no', async () => {
    const partly = await deliver([{ is: 'accepted', refused: ['u2'] }, ok]);
    expect(partly.end).to.deep.equal({
      is: 'unknown',
      why: 'recipients_refused: 1 of 2 did not get it: u2; not sent: part 2 of 2, for 2 recipients',
    });
    expect(partly.delivered).to.deep.equal([0]);
    expect((await deliver([{ is: 'accepted', refused: ['u1', 'u2'] }])).end).to.include({ is: 'refused', later: false });
  });

  it('that were never tried are named, with how many people they were for', async () => {
    const people = Array.from({ length: 250 }, (_, n) => `u${String(n + 1)}`);
    const prepare = () =>
      Promise.resolve(
        [0, 1, 2].map((body) => ({ says: `mail ${String(body + 1)}`, body, to: people.slice(body * 100, body * 100 + 100) })),
      );
    const of = async (...answers: PartSent[]) => (await deliver(answers, { prepare }, 100, { ...message, recipients: people })).end;
    const partly: PartSent = { is: 'accepted', refused: ['u50', 'u100'] };
    const why = 'recipients_refused: 152 of 250 did not get it: u50|u100; not sent: parts 2 to 3 of 3, for 150 recipients';
    expect(await of(partly, ok, ok)).to.deep.equal({ is: 'unknown', why });
    const lost = 'partly_sent: 1 of 3 parts were accepted, then mail 2: reset; not sent: part 3 of 3, for 50 recipients';
    expect(await of(ok, { is: 'unknown', why: 'reset' }, ok)).to.deep.equal({ is: 'unknown', why: lost });
    const last = 'recipients_refused: 1 of 250 did not get it: u250';
    expect(await of(ok, ok, { is: 'accepted', refused: ['u250'] })).to.deep.equal({ is: 'unknown', why: last });
    // Nobody whom the first mail was for has it, and no other was tried.
    expect(await of({ is: 'accepted', refused: people.slice(0, 100) }, ok, ok)).to.include({ is: 'refused', later: false });
    for (const to of [7, [], ['nobody'], [null]]) {
      const odd = () => Promise.resolve([0, 1].map((body) => ({ says: 'x', body, to: to as string[] })));
      expect((await deliver([ok, ok], { prepare: odd })).end, String(to)).to.include({ is: 'delivered' });
    }
  });

  it('are told of where one of them does not end in its time, also by a channel that does not heed its signal', async () => {
    const over = new AbortController();
    const answers = [ok, ok, ok];
    const hangs: Partial<Channel<number>> = {
      deliver: ({ body }) => (body < 2 ? Promise.resolve(ok) : (setTimeout(() => over.abort(), 5), new Promise(() => undefined))),
    };
    const why = 'partly_sent: 2 of 3 parts were accepted, then part 2: the time to send was over';
    expect((await deliver(answers, hangs, 100, message, over.signal)).end).to.deep.equal({ is: 'unknown', why });
  });

  it('are judged as the words of a stranger: what is no yes and no no is unknown, and no list of refused makes a yes or a no of it', async () => {
    const odd = async (answer: unknown) => (await deliver([answer as PartSent])).end;
    for (const refused of ['u1', 'u1|u2', 2, {}, [null], ['u1', 7], ['u3'], ['u1', 'u2', 'u3']])
      expect(await odd({ is: 'accepted', refused }), JSON.stringify(refused)).to.have.property('is', 'unknown');
    for (const answer of [undefined, null, 'accepted', true, 200, {}, { is: 'sent' }, { is: ['accepted'] }, { is: 'unknown' }])
      expect(await odd(answer), JSON.stringify(answer)).to.have.property('is', 'unknown');
    for (const refused of [undefined, null, []]) expect(await odd({ is: 'accepted', refused })).to.have.property('is', 'delivered');
    expect(await odd({ is: 'accepted', refused: ['u1', 'u1'] })).to.include({ is: 'unknown' });
    expect(await odd({ is: 'accepted', refused: ['U2', 'u1', 'u1'] })).to.include({ is: 'refused', later: false });
    expect(await odd({ is: 'refused' })).to.deep.equal({ is: 'refused', why: 'the channel gave no reason', later: false });
    expect(await odd({ is: 'refused', why: 7, later: 'yes' })).to.include({ is: 'refused', later: false });
  });

  it('are named by their place where the channel names none, and what is no list of parts is not sent', async () => {
    const nameless = [{ body: 0 }, { body: 1, says: 7 }] as unknown as ChannelPart[];
    const { notes } = await deliver([ok, ok], { prepare: () => Promise.resolve(nameless) as never });
    expect(notes.map(({ what }) => what)).to.deep.equal(['part 1', 'part 2']);
    for (const parts of [undefined, null, {}, 'parts', [null], [7]]) {
      const { end, delivered } = await deliver([ok], { prepare: () => Promise.resolve(parts) as never });
      expect([end.is, delivered], JSON.stringify(parts)).to.deep.equal(['refused', []]);
    }
  });

  it('are not begun where they cannot be made: that is a plain no, worth another try where the channel says so', async () => {
    const failing = (error: Error) => deliver([ok], { prepare: () => Promise.reject(error) });
    expect((await failing(new ChannelFailure('the token was refused', false))).end).to.deep.equal({
      is: 'refused',
      why: 'the token was refused',
      later: false,
    });
    expect((await failing(new BailingError('BAILING_OUTBOUND_NOT_CONNECTED'))).end).to.include({ is: 'refused', later: true });
    expect((await failing(new TypeError('hidden'))).end).to.deep.equal({
      is: 'refused',
      why: 'the channel failed before anything was sent',
      later: true,
    });
    expect((await deliver([])).end).to.include({ is: 'refused' });
  });

  it('that do not come in time are a plain no: preparing reaches nobody, also where the channel does not heed its signal', async () => {
    const signals: AbortSignal[] = [];
    for (const ends of [() => undefined, (reject: (why: Error) => void) => setTimeout(() => reject(new Error('late')), 60)]) {
      const prepare: Channel<number>['prepare'] = (_, { signal }) =>
        new Promise((_resolve, reject) => void (signals.push(signal), ends(reject)));
      const { end, delivered } = await deliver([ok], { prepare }, 20);
      const why = 'the time to send was over before the channel had prepared the message';
      expect([end, delivered]).to.deep.equal([{ is: 'refused', why, later: true }, []]);
    }
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, true]);
    await new Promise((resolve) => setTimeout(resolve, 70));
  });

  it('are told without the secrets of the channel, whoever says them', async () => {
    const secret = 'tok-planted';
    const named = Object.assign(new Error('x'), { name: secret });
    const cases = [
      await deliver([ok, { is: 'refused', why: `no ${secret}` }]),
      await deliver([{ is: 'refused', why: `${'x'.repeat(236)}${secret}` }]),
      await deliver([{ is: 'unknown', why: secret }]),
      await deliver([named]),
      await deliver([new BailingError('BAILING_OUTBOUND_FAILED', { detail: secret })]),
      await deliver([ok, ok], { prepare: () => Promise.resolve([0, 1].map((body) => ({ says: `sheet ${secret}`, body }))) }),
      await deliver([ok, no], { prepare: () => Promise.resolve([0, 1].map((body) => ({ says: `sheet ${secret}`, body }))) }),
      await deliver([ok], { prepare: () => Promise.reject(new ChannelFailure(secret, false)) }),
      await deliver([ok], { prepare: () => Promise.reject(new BailingError('BAILING_OUTBOUND_FAILED', { detail: secret })) }),
      await deliver([ok], { prepare: () => Promise.reject(named) }),
    ];
    const told = cases.map(({ end, notes, logged }) => JSON.stringify([end, notes, logged]));
    expect(told.filter((one) => /tok-|planted/.test(one))).to.deep.equal([]);
    expect(told.filter((one) => one.includes('…'))).to.have.length(cases.length);
  });

  it('stop when the time to send is over', async () => {
    const { end, delivered } = await deliver([ok, ok, ok], {}, 4);
    expect(delivered).to.deep.equal([0, 1]);
    expect(end).to.include({ is: 'unknown' });
    expect((await deliver([ok], {}, 1)).end).to.deep.equal({ is: 'refused', why: 'the time to send was over', later: true });
  });
});
