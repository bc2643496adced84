import { expect } from 'chai';
import { admin, deskHub, ended, SCRIPTED, until } from '../support/desk.js';
import { ask, type Answer } from '../support/http.js';
import type { RunningHub } from '../support/hub.js';
import { CLIENT_TOKEN, makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const OTHER = 'other-client-token-of-the-tests';
const SLOW = 'slow-client-token-of-the-tests1';
const OFF = 'disabled-client-token-of-tests1';
const EXECUTOR = 'executor-token-of-the-tests-01';
const UNKNOWN_JOB = '11111111-2222-4333-8444-555555555555';

/** What a request is answered with: a row of WIRE §2.2. */
interface Row {
  readonly step: number;
  readonly what: string;
  /** Put over what is asked so far; each row also breaks everything below it. */
  readonly request: Readonly<Record<string, unknown>> | string | null;
  readonly token?: string | null;
  readonly status: number;
  readonly code: string;
  readonly at?: string;
}

const GOOD = { request_id: 'launch:taken', route: 'sleepy', input: 'Hello', metadata: {} };
/** Broken in everything that a body can be broken in; rows mend it from the top. */
const WORST = { request_id: ' ', input: 7, metadata: 'x', callback_url: '/cb', route: 'Not A Key', project: 'p', wait_ms: 5 };
const mended = (...names: readonly (keyof typeof WORST)[]): Record<string, unknown> => {
  const all = { request_id: 'launch:taken', input: 'Hello', metadata: {}, callback_url: 'https://a.example/cb', route: 'secret' };
  return { ...WORST, ...Object.fromEntries(names.map((name) => [name, name === 'project' ? undefined : all[name as keyof typeof all]])) };
};
const BODY = ['request_id', 'input', 'metadata', 'callback_url'] as const;
const refused = (status: number, code: string, at?: string) => ({ status, code, ...(at !== undefined && { at }) });
const malformed = (at: string) => refused(400, 'BAILING_REQUEST_MALFORMED', at);

/** In the order of the contract. Every row is also wrong in all that the rows below it are about, as far as one request can be. */
const TABLE: readonly Row[] = [
  { step: 1, what: 'no credential', request: '{', token: null, ...refused(401, 'BAILING_REQUEST_UNAUTHORIZED') },
  {
    step: 1,
    what: 'an unknown one',
    request: '{',
    token: 'nobody-knows-this-token-000001',
    ...refused(401, 'BAILING_REQUEST_UNAUTHORIZED'),
  },
  { step: 1, what: 'a client that is disabled', request: '{', token: OFF, ...refused(401, 'BAILING_REQUEST_UNAUTHORIZED') },
  { step: 1, what: 'an executor', request: '{', token: EXECUTOR, ...refused(403, 'BAILING_REQUEST_FORBIDDEN') },
  { step: 3, what: 'no JSON', request: '{"request_id":', ...refused(400, 'BAILING_REQUEST_MALFORMED') },
  { step: 3, what: 'a list', request: '[]', ...malformed('body') },
  { step: 3, what: 'an empty body, which reads as {}', request: null, ...malformed('request_id') },
  { step: 3, what: 'a blank request_id', request: WORST, ...malformed('request_id') },
  { step: 3, what: 'an input that is no text', request: mended('request_id'), ...malformed('input') },
  { step: 3, what: 'metadata that is no object', request: mended('request_id', 'input'), ...malformed('metadata') },
  { step: 3, what: 'a callback_url that is none', request: mended('request_id', 'input', 'metadata'), ...malformed('callback_url') },
  { step: 4, what: 'a route without its form', request: mended(...BODY), ...malformed('route') },
  { step: 4, what: 'a project', request: mended(...BODY, 'route'), ...refused(403, 'BAILING_REQUEST_FORBIDDEN', 'project') },
  { step: 4, what: 'a member nobody knows', request: mended(...BODY, 'route', 'project'), ...malformed('wait_ms') },
  {
    step: 4,
    what: 'a route that is not allowed',
    request: { ...GOOD, route: 'secret' },
    token: SLOW,
    ...refused(403, 'BAILING_ROUTE_FORBIDDEN', 'route'),
  },
  {
    step: 4,
    what: 'one too many in a minute',
    request: { ...GOOD, route: 'shut' },
    token: SLOW,
    ...refused(429, 'BAILING_CLIENT_RATE_LIMITED'),
  },
  {
    step: 5,
    what: 'a route that is not there',
    request: { ...GOOD, route: 'ghost' },
    token: OTHER,
    ...refused(400, 'BAILING_ROUTE_UNKNOWN', 'route'),
  },
  {
    step: 5,
    what: 'a route that is disabled',
    request: { ...GOOD, route: 'shut' },
    token: OTHER,
    ...refused(400, 'BAILING_ROUTE_DISABLED', 'route'),
  },
  {
    step: 5,
    what: 'auto that leads nowhere',
    request: { ...GOOD, route: 'auto', input: 'weather' },
    token: OTHER,
    ...refused(400, 'BAILING_ROUTE_AUTO_NO_MATCH', 'route'),
  },
  {
    step: 5,
    what: 'auto that leads to two',
    request: { ...GOOD, route: 'auto', input: 'a tie' },
    token: OTHER,
    ...refused(409, 'BAILING_ROUTE_AUTO_AMBIGUOUS', 'route'),
  },
  {
    step: 7,
    what: 'an audience nobody told of',
    request: { ...GOOD, route: 'staff' },
    token: OTHER,
    ...refused(403, 'BAILING_AUDIENCE_REFUSED', 'metadata.principal'),
  },
  { step: 8, what: 'a target that is disabled', request: GOOD, token: OTHER, ...refused(400, 'BAILING_ROUTE_DISABLED') },
  {
    step: 9,
    what: 'a request_id of another client',
    request: { ...GOOD, route: 'orders' },
    token: OTHER,
    ...refused(409, 'BAILING_REQUEST_FOREIGN', 'request_id'),
  },
];

describe('promises: what /run answers, in the order of the contract', function () {
  this.timeout(30_000);
  let world: World;
  let hub: RunningHub;

  before(async () => {
    const audience = (word: string): string => `audience: { anonymous: true, keywords: [${word}] }`;
    world = await makeWorld({
      hub: '  concurrency: 8',
      clients: [
        `  - { app_id: other, token: ${OTHER}, allowed_routes: ['*'], rate_limit_per_min: 0 }`,
        `  - { app_id: slow, token: ${SLOW}, allowed_routes: [orders, shut], rate_limit_per_min: 1 }`,
        `  - { app_id: 'off', token: ${OFF}, allowed_routes: ['*'], enabled: false }`,
      ].join('\n'),
      route: `${SCRIPTED.route}
    profile: triage
  - { route_key: secret }
  - { route_key: shut, enabled: false, target: asleep, audience: { enabled: true, roles: [staff] } }
  - { route_key: staff, target: asleep, audience: { enabled: true, roles: [staff] } }
  - { route_key: sleepy, target: asleep }
  - { route_key: tie-a, ${audience('tie')} }
  - { route_key: tie-b, ${audience('tie')} }
  - { route_key: work, target: my-agent }`,
      more: `${SCRIPTED.more}
targets: [{ name: asleep, enabled: false }, { name: my-agent }]
executor_tokens: [{ name: workers, token: ${EXECUTOR}, allowed_targets: [my-agent] }]`,
    });
    hub = await deskHub(world);
    expect((await run({ ...GOOD, route: 'orders', input: '[]' })).status).to.equal(202);
    // The one request that this client has a minute.
    expect((await run({ ...GOOD, request_id: 'launch:slow', route: 'orders', input: '[]' }, SLOW)).status).to.equal(202);
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
  });

  const run = (body: unknown, token: string | null = CLIENT_TOKEN): Promise<Answer> =>
    ask(hub.url, 'POST', '/run', body === null ? undefined : body, token);
  const job = async (id: unknown, token = CLIENT_TOKEN) => (await ask(hub.url, 'GET', `/jobs/${String(id)}`, undefined, token)).body;

  for (const { step, what, request, token, ...expected } of TABLE) {
    it(`${String(step)}: ${what} is ${String(expected.status)} ${expected.code}`, async () => {
      const { status, body } = await run(request, token);
      const { code, at, error, fix } = body;
      expect({ status, code, ...(expected.at !== undefined && { at }) }).to.deep.equal(expected);
      for (const said of [error, fix]) expect(said).to.be.a('string').and.not.equal('');
      if (expected.status === 403 && code === 'BAILING_AUDIENCE_REFUSED') expect(body.reason).to.equal('route_requires_principal');
      if (/_AUTO_/.test(String(code))) expect(body.decision).to.include({ mode: 'auto', ok: false });
    });
  }

  it('2: a paused hub says 503 before it looks at the body, and 401 before that', async () => {
    await ask(hub.url, 'POST', '/admin/pause', undefined, SERVER_TOKEN);
    const paused = await run('{');
    const unknown = await run('{', null);
    await ask(hub.url, 'POST', '/admin/resume', undefined, SERVER_TOKEN);
    expect([paused.status, paused.body.status, typeof paused.body.error]).to.deep.equal([503, 'paused', 'string']);
    expect(unknown.status).to.equal(401);
  });

  it('10: the first is answered in full, what comes again in short, whatever else it says; a replay is checked like the first', async () => {
    const first = await run({ ...GOOD, request_id: 'launch:new', route: 'orders', input: '[]' });
    const { job_id: id, session_id: session, ...rest } = first.body;
    expect(first.status).to.equal(202);
    expect(rest).to.deep.equal({ status: 'queued', request_id: 'launch:new', route: 'orders', target: 'llm', continue: false });
    expect(String(id)).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(session).to.be.a('string');
    await ended(hub.url, String(id));
    const again = await run({ ...GOOD, request_id: 'launch:new', route: 'orders', input: 'Something else' });
    expect([again.status, again.body]).to.deep.equal([202, { job_id: id, status: 'done', request_id: 'launch:new' }]);
    expect((await run({ ...GOOD, request_id: 'launch:new', route: 'secret' })).status).to.equal(403);
    expect((await run({ ...GOOD, request_id: 'launch:new', route: 'orders' }, SERVER_TOKEN)).body.job_id).to.equal(id);
    expect((await ask(hub.url, 'GET', `/jobs/${String(id)}`, undefined, OTHER)).status).to.equal(404);
  });

  it('one request_id of two clients at the same moment is one job: 202 with it for its owner, 409 for the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const request = { ...GOOD, request_id: `launch:race:${String(round)}`, route: 'orders', input: '[]' };
      const tokens = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? CLIENT_TOKEN : OTHER));
      const answers = await Promise.all(tokens.map((token) => run(request, token)));
      const taken = answers.filter(({ status }) => status === 202);
      expect(new Set(taken.map(({ body }) => body.job_id)).size).to.equal(1);
      expect(taken.filter(({ body }) => 'session_id' in body)).to.have.length(1);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array<number>(6).fill(202), ...Array<number>(6).fill(409)]);
      const owners = tokens.filter((_, index) => answers[index]?.status === 202);
      expect(new Set(owners).size).to.equal(1);
    }
  });

  it('an administrator may leave the route out: the hub’s own model answers, without tools, in a session of its own', async () => {
    const { status, body } = await run({ request_id: 'launch:bare', input: 'Hello', anything: 1 }, SERVER_TOKEN);
    expect([status, body.route, body.target, body.continue], JSON.stringify(body)).to.deep.equal([202, '', 'llm', false]);
    const shown = await until(async () => {
      const found = await job(body.job_id, SERVER_TOKEN);
      return ['done', 'error'].includes(String(found.status)) && found;
    });
    expect(shown).to.include({ status: 'done', source: 'unknown', profile: 'readonly', route: '' });
    expect(shown.result).to.include({ tool_calls: 0 });
    const named = { ...GOOD, request_id: 'launch:named', route: 'work', source: 'console', profile: 'full' };
    const { job_id: id } = (await run(named, SERVER_TOKEN)).body;
    expect(await job(id, SERVER_TOKEN)).to.include({ source: 'console', profile: 'full' });
    const claim = { executor_id: 'w', targets: ['my-agent'], wait_ms: 0 };
    const { job: item } = (await ask(hub.url, 'POST', '/executor/claim', claim, EXECUTOR)).body as { job: Record<string, unknown> };
    expect(item).to.include({ job_id: id, profile: 'full', project: '' });
    expect((await run({ ...named, project: 'site' }, SERVER_TOKEN)).body).to.include({ code: 'BAILING_REQUEST_MALFORMED', at: 'project' });
  });

  it('auto is shown beforehand as it would go, and then goes so', async () => {
    const preview = async (input: string) =>
      (await admin(hub.url, 'POST', '/routes/auto-preview', { input, client_app_id: 'other' })).body as unknown as {
        readonly ok: boolean;
        readonly selected_route?: string;
        readonly error?: string;
        readonly rows: readonly { readonly route_key: string; readonly rejected_reason?: string }[];
      };
    expect(await preview('a tie')).to.include({ ok: false, error: 'route_auto_ambiguous' });
    expect(await preview('weather')).to.include({ ok: false, error: 'route_auto_no_match' });
    const shown = await preview('a tie, by tie-b');
    expect(shown).to.include({ ok: true, selected_route: 'tie-b' });
    const why = Object.fromEntries(shown.rows.map((row) => [row.route_key, row.rejected_reason]));
    expect(why).to.include({ orders: 'auto_not_enabled', shut: 'route_disabled' });
    const { status, body } = await run({ ...GOOD, request_id: 'launch:auto', route: 'auto', input: 'a tie, by tie-b' }, OTHER);
    expect([status, body.route]).to.deep.equal([202, 'tie-b']);
  });

  describe('GET /jobs/{id}', () => {
    /** WIRE §2.7, without what must not be shown; the last four are ours. */
    const MEMBERS = new Set(
      `job_id request_id status target profile project source client_app_id thread_id session_id input_preview input result report raw_result usage
       error metadata callback_url attempts run_after claimed_at lease_until executor_id dispatched_at created_at updated_at
       route error_code error_fix governance`.split(/\s+/),
    );

    it('has the members of the contract and no others, while a job waits, is worked on, and when it is over', async () => {
      const work = { ...GOOD, request_id: 'launch:work', route: 'work', callback_url: 'https://a.example/cb' };
      const { job_id: id } = (await run(work, OTHER)).body;
      const seen = [await job(id, OTHER)];
      const claim = { executor_id: 'w', targets: ['my-agent'], wait_ms: 0 };
      const { job: item } = (await ask(hub.url, 'POST', '/executor/claim', claim, EXECUTOR)).body as { job: Record<string, unknown> };
      seen.push(await job(id, OTHER));
      const report = { job_id: id, ok: true, output: { text: 'Done.' }, claim_token: item.claim_token };
      await ask(hub.url, 'POST', '/executor/result', report, EXECUTOR);
      seen.push(await job(id, OTHER));
      expect(seen.map(({ status }) => status)).to.deep.equal(['queued', 'dispatched', 'done']);
      for (const shown of seen) {
        expect(Object.keys(shown).filter((name) => !MEMBERS.has(name))).to.deep.equal([]);
        expect(JSON.stringify(shown)).not.to.contain(String(item.claim_token));
        expect(shown).to.include({ profile: 'readonly', project: '', source: 'other', client_app_id: 'other', input_preview: 'Hello' });
        for (const time of [shown.created_at, shown.updated_at]) expect(new Date(String(time)).toISOString()).to.equal(time);
      }
      expect(seen[2]?.result).to.deep.equal({ text: 'Done.' });
    });

    it('is 404 for what is not there, is no id, or belongs to another client', async () => {
      for (const id of [UNKNOWN_JOB, 'x', UNKNOWN_JOB.toUpperCase().replace('1', 'G')])
        expect((await ask(hub.url, 'GET', `/jobs/${id}`)).status, id).to.equal(404);
    });
  });
});
