import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import net from 'node:net';
import { FakeExecutors, TOOL_TOKEN } from '../test-support/fake-executors.js';
import { ADMIN_TOKEN, EXECUTOR_TOKEN, FakeHub, JOB_ID } from '../test-support/fake-hub.js';
import { serve, type Answer, type Serving } from '../test-support/serving.js';

const CLAIM = { executor_id: 'worker-01', targets: ['my-agent'], wait_ms: 10_000 };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the executor door, over real sockets', () => {
  let at: Serving;
  let door: FakeExecutors;
  beforeEach(async () => {
    door = new FakeExecutors();
    const hub = new FakeHub();
    hub.executors = door;
    at = await serve({ hub });
  });
  afterEach(() => at.server.stop());
  const until = async (test: () => boolean): Promise<void> => {
    for (let turn = 0; !test() && turn < 400; turn++) await pause(5);
    expect(test()).to.equal(true);
  };
  const claim = (body: unknown = CLAIM, token = EXECUTOR_TOKEN): Promise<Answer> => at.ask('POST', '/executor/claim', { token, body });

  describe('claim', () => {
    it('hands a job that comes to a waiting executor within milliseconds', async () => {
      const waiting = claim();
      await until(() => door.polls === 1);
      const offered = performance.now();
      door.offer('a');
      const answer = await waiting;
      expect(performance.now() - offered).to.be.below(100);
      expect([answer.status, answer.json()]).to.deep.equal([200, { job: { job_id: 'a' } }]);
      await pause(20);
      expect(door.back).to.deep.equal([]);
    });

    it('answers null when nothing came and says paused', async () => {
      expect((await claim({ ...CLAIM, wait_ms: 0 })).json()).to.deep.equal({ job: null });
      door.paused = true;
      expect((await claim()).json()).to.deep.equal({ job: null, paused: true });
    });

    it('fills defaults, clamps the wait and names the caller', async () => {
      door.paused = true;
      await claim({ targets: ['x', 'x', 'y'], capabilities: { labels: [] }, request_id: 'r' });
      await claim({ ...CLAIM, wait_ms: 1e9 });
      await claim({ ...CLAIM, wait_ms: -5 });
      await claim(CLAIM, ADMIN_TOKEN);
      expect(door.claims.map(({ request }) => request)).to.deep.equal([
        { executor_id: 'unknown', targets: ['x', 'y'], wait_ms: 25_000 },
        { ...CLAIM, wait_ms: 55_000 },
        { ...CLAIM, wait_ms: 0 },
        CLAIM,
      ]);
      expect(door.claims[0]?.caller).to.deep.equal({ kind: 'executor', name: 'mac', allowedTargets: ['my-agent'] });
      expect(door.claims[3]?.caller).to.deep.equal({ kind: 'executor', name: 'admin', allowedTargets: ['*'] });
    });

    it('names what is wrong with a body', async () => {
      for (const [at400, body] of [
        ['executor_id', { ...CLAIM, executor_id: 1 }],
        ['executor_id', { ...CLAIM, executor_id: 'x'.repeat(129) }],
        ['targets', { ...CLAIM, targets: 'my-agent' }],
        ['targets', { ...CLAIM, targets: [1] }],
        ['targets', { ...CLAIM, targets: Array.from({ length: 101 }, String) }],
        ['wait_ms', { ...CLAIM, wait_ms: '5' }],
        ['body', [CLAIM]],
      ] as const) {
        const refused = await claim(body);
        expect([refused.status, refused.json()['at']]).to.deep.equal([400, at400]);
      }
      expect((await at.ask('POST', '/executor/claim', { token: EXECUTOR_TOKEN, bytes: '{' })).status).to.equal(400);
    });

    it('ends a long poll at once when the server stops', async () => {
      const waiting = claim();
      await until(() => door.polls === 1);
      const started = performance.now();
      await at.server.stop();
      expect(performance.now() - started).to.be.below(500);
      expect((await waiting).json()).to.deep.equal({ job: null });
    });
  });

  describe('a connection that is lost', () => {
    const head = (body: string): string =>
      `POST /executor/claim HTTP/1.1\r\nhost: hub\r\nauthorization: Bearer ${EXECUTOR_TOKEN}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const poll = async (): Promise<net.Socket> => {
      const socket = net.connect(at.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head(JSON.stringify(CLAIM)));
      await until(() => door.polls === 1);
      return socket;
    };

    it('while it waits takes no job: the next claim gets it', async () => {
      const socket = await poll();
      socket.destroy();
      await until(() => door.polls === 0);
      door.offer('a');
      expect((await claim()).json()).to.deep.equal({ job: { job_id: 'a' } });
      expect(door.back).to.deep.equal([]);
    });

    it('in the moment of the hand-over gives the job back', async () => {
      for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const socket = await poll();
        socket[leave]();
        door.offer(leave);
        await until(() => door.back.includes(leave) || door.queue.includes(leave));
        expect((await claim()).json(), leave).to.deep.equal({ job: { job_id: leave } });
      }
    });

    it('by a reset as the answer comes in gives the job back, once', async () => {
      const socket = await poll();
      socket.once('data', () => socket.resetAndDestroy());
      door.offer('a');
      await until(() => door.back.length > 0);
      await pause(50);
      expect(door.back).to.deep.equal(['a']);
    });

    it('by a reset keeps the job handed over where the executor has asked again on it: it has read the answer', async () => {
      const socket = await poll();
      const read = new Promise((resolve) => socket.once('data', resolve));
      door.offer('a');
      await read;
      socket.write(head(JSON.stringify(CLAIM)));
      await until(() => door.polls === 1);
      socket.resetAndDestroy();
      await until(() => door.polls === 0);
      await pause(50);
      expect(door.back).to.deep.equal([]);
    });

    it('is watched once, however many jobs it carries in a second', async () => {
      const warnings: string[] = [];
      const note = ({ message }: Error): void => void warnings.push(message);
      process.on('warning', note);
      const socket = await poll();
      for (let nth = 0; nth < 20; nth += 1) {
        const read = new Promise((resolve) => socket.once('data', resolve));
        door.offer(String(nth));
        await read;
        socket.write(head(JSON.stringify(CLAIM)));
        await until(() => door.polls === 1);
      }
      socket.destroy();
      await pause(20);
      process.off('warning', note);
      expect(warnings).to.deep.equal([]);
    });

    it('in good order after the answer was read keeps the job handed over', async () => {
      const socket = await poll();
      socket.once('data', () => socket.end());
      door.offer('a');
      await new Promise((resolve) => socket.once('close', resolve));
      await pause(50);
      expect([door.back, door.queue]).to.deep.equal([[], []]);
    });
  });

  describe('heartbeat and result', () => {
    it('takes a heartbeat', async () => {
      const beat = await at.ask('POST', '/executor/heartbeat', {
        token: EXECUTOR_TOKEN,
        body: { executor_id: 'worker-01', targets: ['my-agent'] },
      });
      expect([beat.status, beat.json(), door.beats]).to.deep.equal([200, { ok: true }, ['worker-01']]);
    });

    it('reads success and failure by the rule of the contract', async () => {
      const base = { job_id: JOB_ID, claim_token: 'c' };
      for (const body of [
        { ...base, output: { text: 'x' }, usage: { duration_ms: 3 }, session_id: 's' },
        { ...base, ok: true, error: '' },
        { ...base, ok: true, error: 'broke' },
        { ...base, ok: false },
        { ...base, ok: null, error: { code: 7 } },
        { job_id: JOB_ID, claim_token: null },
      ]) {
        expect((await at.ask('POST', '/executor/result', { token: EXECUTOR_TOKEN, body })).json()).to.deep.equal({ ok: true });
      }
      expect(door.reports.map(({ ok, error }) => [ok, error])).to.deep.equal([
        [true, undefined],
        [true, undefined],
        [false, 'broke'],
        [false, undefined],
        [false, '{"code":7}'],
        [true, undefined],
      ]);
      expect(door.reports[0]).to.deep.equal({ ...base, ok: true, output: { text: 'x' }, usage: { duration_ms: 3 } });
      expect(door.reports[5]).to.not.have.property('claim_token');
    });

    it('answers retried and ignored in their forms', async () => {
      const result = async (): Promise<unknown> =>
        (await at.ask('POST', '/executor/result', { token: EXECUTOR_TOKEN, body: { job_id: JOB_ID } })).json();
      door.reported = { is: 'retried' };
      expect(await result()).to.deep.equal({ ok: true, retried: true });
      door.reported = { is: 'ignored', status: 'done', note: 'over' };
      expect(await result()).to.deep.equal({ ok: true, status: 'done', note: 'over' });
    });

    it('answers 400 without a job_id and 404 to what is none', async () => {
      const status = async (body: unknown): Promise<number> =>
        (await at.ask('POST', '/executor/result', { token: EXECUTOR_TOKEN, body })).status;
      expect([await status({}), await status({ job_id: 5 }), await status({ job_id: 'x' })]).to.deep.equal([400, 400, 404]);
      expect(await status({ job_id: JOB_ID, claim_token: 5 })).to.equal(400);
    });
  });

  describe('tools', () => {
    const path = `/jobs/${JOB_ID}/tools/invoke`;
    const invoke = (body: unknown, token: string | undefined = TOOL_TOKEN): Promise<Answer> =>
      at.ask('POST', path, { ...(token === '' ? {} : { token }), body });

    it('looks definitions up with the tool token only', async () => {
      const defs = `/jobs/${JOB_ID}/tools/defs?names=a,%20b%20,,c`;
      expect((await at.ask('GET', defs, { token: TOOL_TOKEN })).json()['defs']).to.have.length(3);
      expect(door.lookups).to.deep.equal([['a', 'b', 'c']]);
      for (const token of [EXECUTOR_TOKEN, ADMIN_TOKEN, 'x']) expect((await at.ask('GET', defs, { token })).status).to.equal(401);
      expect((await at.ask('GET', defs)).status).to.equal(401);
      expect((await at.ask('GET', '/jobs/00000000-2222-4333-8444-555555555555/tools/defs', { token: TOOL_TOKEN })).status).to.equal(404);
    });

    it('answers 200 with ok, text and status whatever the business said', async () => {
      expect((await invoke({ tool: 'order_read', arguments: { no: 'A' } })).json()).to.deep.equal({ ok: true, text: 'done', status: 200 });
      expect(door.proposals[0]).to.deep.equal({ tool: 'order_read', arguments: { value: { no: 'A' } } });
      door.invoked = () => ({ ok: false, text: 'HTTP 409', status: 409, sent: true });
      const conflict = await invoke({ tool: 'order_read' });
      expect([conflict.status, conflict.json()]).to.deep.equal([200, { ok: false, text: 'HTTP 409', status: 409 }]);
    });

    it('shows an unknown write in the structured form, and a pending approval by its id', async () => {
      const execution = { state: 'uncertain', tool: 'refund', scope: 's', idempotency_key: 'k', reason: 'r', message: 'm' } as const;
      door.invoked = () => ({
        ok: false,
        text: 't',
        status: 0,
        sent: true,
        code: 'BAILING_CALL_UNKNOWN',
        governance: { state: 'reconciliation_required', execution },
      });
      expect((await invoke({ tool: 'refund' })).json()).to.deep.equal({
        ok: false,
        text: 't',
        status: 0,
        code: 'BAILING_CALL_UNKNOWN',
        governance_state: 'reconciliation_required',
        auto_retry_allowed: false,
        tool_execution: execution,
      });
      door.invoked = () => ({
        ok: false,
        text: 't',
        status: 0,
        sent: false,
        governance: { state: 'approval_pending', approvalId: 7, tool: 'refund', summary: '' },
      });
      expect((await invoke({ tool: 'refund' })).json()).to.include({ governance_state: 'approval_pending', approval_id: 7 });
    });

    it('answers 503 in its own form while the journal cannot be read, and 429 when the budget is spent', async () => {
      door.invoked = () => {
        throw new BailingError('BAILING_JOURNAL_UNAVAILABLE');
      };
      const journal = await invoke({ tool: 'refund' });
      expect(journal.status).to.equal(503);
      expect(journal.json()).to.include({ ok: false, error: 'execution_journal_unavailable', auto_retry_allowed: false });
      expect(journal.json()['text']).to.be.a('string').and.not.empty;
      door.invoked = () => {
        throw new BailingError('BAILING_BUDGET_SPENT');
      };
      const spent = await invoke({ tool: 'refund' });
      expect([spent.status, spent.json()['code']]).to.deep.equal([429, 'BAILING_BUDGET_SPENT']);
    });

    it('reads text that is no JSON, and anything but an object, as a call without a tool', async () => {
      for (const bytes of ['{', '', '[]', '"x"', 'null', Buffer.from([0xff, 0x22])]) {
        const refused = await at.ask('POST', path, { token: TOOL_TOKEN, bytes });
        expect([refused.status, refused.json()['at']]).to.deep.equal([400, 'tool']);
      }
    });

    it('hands on what would lose something in reading as text, for the fence to refuse and the audit to see', async () => {
      for (const bytes of ['{"tool":"refund","arguments":{"id":12345678901234567890}}', '{"tool":"refund","arguments":{"id":1,"id":2}}']) {
        await at.ask('POST', path, { token: TOOL_TOKEN, bytes });
        expect(door.proposals.at(-1)).to.deep.equal({ tool: 'refund', arguments: bytes });
      }
    });

    it('passes arguments of any type on as they are, text included', async () => {
      for (const given of ['{}', 1, null, [1], { a: null }]) {
        await invoke({ tool: 'refund', arguments: given });
        expect(door.proposals.at(-1)).to.deep.equal({ tool: 'refund', arguments: { value: given } });
      }
    });

    it('keeps tool tokens out of the log', async () => {
      await at.ask('POST', `${path}?token=${TOOL_TOKEN}`, { body: { tool: 'refund' } });
      await invoke({ tool: 'refund' });
      expect(at.log.lines.join('\n')).to.include(path).and.not.include(TOOL_TOKEN);
    });
  });

  it('is not there where the hub serves no executors', async () => {
    delete at.hub.executors;
    expect((await claim()).status).to.equal(404);
    expect((await at.ask('POST', `/jobs/${JOB_ID}/tools/invoke`, { token: TOOL_TOKEN, body: {} })).status).to.equal(404);
  });
});
