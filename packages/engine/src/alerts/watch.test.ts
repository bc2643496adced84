import type { Log, Records } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { AlertRule, AuditRow, NewOutgoing } from '../ports/index.js';
import { AlertWatch } from './watch.js';

const MINUTE = 60_000;
const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function scene(rules: readonly Partial<AlertRule>[]) {
  const clock = { time: 1_000_000, now: () => clock.time };
  const ledger: AuditRow[] = [];
  const sent = new Map<string, NewOutgoing>();
  const kept = new Map<string, string>();
  const tags = new Map<string, string>();
  let waiting = 0;
  let failed: string[] = [];
  const seen: { executor: string; at: number }[] = [];
  const records = {
    get: (key: string) => Promise.resolve(kept.has(key) ? { value: kept.get(key) ?? '', rev: 1 } : null),
    put: (key: string, value: string, { tag = '' }: { readonly tag?: string } = {}) => {
      tags.set(key, tag);
      return Promise.resolve(kept.set(key, value).size);
    },
    byTag: (tag: string, after: string, max: number) =>
      Promise.resolve(
        [...kept]
          .filter(([key]) => tags.get(key) === tag && key > after)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, max)
          .map(([key, value]) => ({ key, value, rev: 1 })),
      ),
  } as unknown as Records;
  const write = (event: string, detail: object) => {
    ledger.push({ seq: ledger.length + 1, event, at: clock.time, requestId: 'tools:x', detail: JSON.stringify(detail) } as AuditRow);
  };
  const watch = () =>
    new AlertWatch({
      jobs: {
        audit: (_job, after, limit) => Promise.resolve(ledger.filter(({ seq }) => seq > after).slice(0, limit)),
        note: (lines) => Promise.resolve(lines.forEach(({ event, detail }) => write(event, JSON.parse(detail) as object))),
        failures: ({ limit }) => Promise.resolve(failed.slice(0, limit)),
        waiting: () => Promise.resolve(Array.from({ length: waiting }) as never),
      },
      outbox: { put: (all) => Promise.resolve(all.forEach((one) => sent.set(one.dedupe, one))) },
      stops: { isSet: () => Promise.resolve(false) } as never,
      presence: { all: () => Promise.resolve(seen) },
      targets: () => ['llm'],
      duties: { hold: () => Promise.resolve(true) },
      records,
      rules: () => rules.map((rule) => ({ event_prefix: '', url: 'https://a.example', cooldown_min: 60, enabled: true, ...rule })),
      clock,
      wakeups: { notify: () => undefined } as never,
      log: silent,
    });
  const alert = (key: string, message = 'm') => write('alert', { kind: 'alert', key, message });
  const told = () =>
    [...sent.values()].map(({ kind, body, target }) =>
      kind === 'alert'
        ? `${(JSON.parse(body ?? '') as { key: string }).key} → ${(JSON.parse(target) as { url: string }).url}`
        : `${body ?? ''} → ${target}`,
    );
  /** What had its time: records of keys, and messages that were sent. */
  const forget = () => {
    for (const key of [...kept.keys()].filter((one) => one.startsWith('key:'))) kept.delete(key);
    sent.clear();
  };
  const wait = (n: number) => (waiting = n);
  return { clock, watch, alert, write, told, forget, wait, fail: (jobs: string[]) => (failed = jobs), seen, ledger };
}

describe('Alerts by rule', () => {
  it('tell what was written since the watch began, each key once within its smallest cooldown', async () => {
    const { clock, watch, alert, write, told } = scene([
      { event_prefix: 'spec_', url: 'https://spec.example' },
      { event_prefix: 'spec_change', url: 'https://change.example', cooldown_min: 10 },
      { event_prefix: '', url: 'https://off.example', enabled: false },
    ]);
    alert('spec_old');
    clock.time += 1;
    const one = watch();
    write('config_change', { key: 'spec_no_alert' });
    alert('spec_change_a');
    alert('spec_fail_b');
    alert('other');
    expect(await one.pass()).to.equal(3);
    expect(told().sort()).to.deep.equal([
      'spec_change_a → https://change.example',
      'spec_change_a → https://spec.example',
      'spec_fail_b → https://spec.example',
    ]);
    clock.time += 9 * MINUTE;
    alert('spec_change_a');
    expect([await one.pass(), await one.pass()]).to.deep.equal([0, 0]);
    clock.time += 2 * MINUTE;
    alert('spec_change_a');
    alert('spec_fail_b');
    expect(await one.pass()).to.equal(2);
  });

  it('go on after a restart where they stood, and send nothing twice where a process died in between', async () => {
    const { clock, watch, alert, told } = scene([{}]);
    await watch().pass();
    alert('a');
    clock.time += 5;
    expect(await watch().pass()).to.equal(1);
    expect(await watch().pass()).to.equal(0);
    expect(told()).to.have.length(1);
  });

  it('are not told again from the overlap when what was remembered of them is gone', async () => {
    const { clock, watch, alert, told, forget } = scene([{}]);
    await watch().pass();
    alert('a');
    expect(await watch().pass()).to.equal(1);
    clock.time += 5 * 1_440 * MINUTE;
    forget();
    expect(await watch().pass()).to.equal(0);
    alert('b');
    expect(await watch().pass()).to.equal(1);
    expect(told()).to.deep.equal(['b → https://a.example']);
  });

  it('tell of work that waits', async () => {
    const { clock, watch, told, wait } = scene([{}]);
    wait(1);
    const one = watch();
    await one.pass();
    expect(told()).to.deep.equal(['queue_backlog → https://a.example']);
    clock.time += MINUTE;
    expect(await one.pass()).to.equal(0);
  });

  it('tell of five failures, and not of four', async () => {
    const { clock, watch, told, fail } = scene([{}]);
    const one = watch();
    fail(['a', 'b', 'c', 'd']);
    expect(await one.pass()).to.equal(0);
    fail(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await one.pass()).to.equal(0);
    clock.time += MINUTE;
    expect(await one.pass()).to.equal(1);
    expect(told()).to.deep.equal(['error_burst → https://a.example']);
  });

  it('tell of executors that came and come no more, once this process could have seen them, and are bounded', async () => {
    const { clock, watch, told, seen } = scene([{}]);
    const one = watch();
    seen.push({ executor: 'workers/a', at: clock.time - 10 * MINUTE }, { executor: 'workers/b', at: clock.time + 5 * MINUTE });
    expect(await one.pass()).to.equal(0);
    clock.time += 5 * MINUTE;
    await one.pass();
    expect(told()).to.deep.equal(['executor_offline_a → https://a.example']);
    for (let i = 0; i < 300; i += 1) seen.push({ executor: `workers/pod-${String(i)}`, at: clock.time - 6 * MINUTE });
    clock.time += MINUTE;
    expect(await one.pass()).to.equal(20);
    for (let minutes = 0; minutes < 20; minutes += 1) {
      clock.time += MINUTE;
      expect(await one.pass()).to.be.at.most(20);
    }
    expect(new Set(told()).size).to.equal(302);
    expect(told()).to.have.length(302);
  });

  it('tell of an absence once, however long it lasts and however short the cooldown is, and again where the executor came in between', async () => {
    const { clock, watch, told, seen } = scene([{ cooldown_min: 10 }]);
    const one = watch();
    const pods = Array.from({ length: 30 }, (_, i) => ({ executor: `workers/vm-${String(i)}`, at: clock.time }));
    seen.push(...pods);
    for (let minutes = 0; minutes < 120; minutes += 1) {
      clock.time += MINUTE;
      await one.pass();
    }
    expect(told()).to.have.length(30);
    seen[3] = { executor: 'workers/vm-3', at: clock.time };
    for (let minutes = 0; minutes < 60; minutes += 1) {
      clock.time += MINUTE;
      await one.pass();
    }
    expect(told()).to.have.length(31);
    expect(told().at(-1)).to.contain('executor_offline_vm-3 ');
  });

  it('tell of an executor that comes and goes once within a cooldown, and of its absence when that is over', async () => {
    const { clock, watch, told, seen } = scene([{}]);
    const one = watch();
    seen.push({ executor: 'workers/a', at: clock.time });
    for (let minutes = 0; minutes < 70; minutes += 1) {
      clock.time += MINUTE;
      if (minutes === 10) seen[0] = { executor: 'workers/a', at: clock.time };
      await one.pass();
      if (minutes === 60) expect(told()).to.have.length(1);
    }
    expect(told()).to.have.length(2);
  });

  it('go through channels to the people of a rule, and write one line while a thing stays wrong, not one a minute', async () => {
    const { clock, watch, told, wait, ledger } = scene([
      { url: undefined, channel: 'ops', recipients: ['u-1', 'u-2'] },
      { url: undefined, channel: 'ops', recipients: ['u-1', 'u-2'], event_prefix: 'queue' },
    ] as never);
    wait(1);
    const one = watch();
    for (let minutes = 0; minutes < 59; minutes += 1) {
      await one.pass();
      clock.time += MINUTE;
    }
    expect(told()).to.have.length(1);
    expect(told()[0]).to.match(/^A job has been waiting.*\n\(queue_backlog\) → \{"channel":"ops","to":\["u-1","u-2"\]\}$/s);
    expect(ledger.filter(({ event }) => event === 'alert')).to.have.length(1);
    clock.time += 2 * MINUTE;
    await one.pass();
    expect(told()).to.have.length(2);
  });
});
