import assert from 'node:assert/strict';
import type { ContextProvider, ContextRequest } from '@bailing/plugin-api';
import type { Case } from './case.js';
import { unchanged, within, withoutNetwork } from './watch.js';

const MAX_BLOCKS = 8;
const MAX_CHARS = 20_000;

const plain: ContextRequest = {
  job: { id: '11111111-2222-4333-8444-555555555555', requestId: 'r:1', route: 'orders', client: 'crm', source: 'crm' },
  input: 'Where is order A-1001? 我的包裹在哪里？',
  metadata: { page: { title: 'Orders', url: 'https://shop.example/orders' } },
  principal: 'u-1',
  session: { id: 's-1', isContinue: false },
};

/** Requests of every kind: ordinary, bare, strange and long. */
const requests: readonly ContextRequest[] = [
  plain,
  { ...plain, input: ' ', metadata: {}, principal: null, job: { ...plain.job, client: '' } },
  { ...plain, metadata: { page: null, title: [1, { a: 2 }], principal: 'x' } },
  { ...plain, input: 'x'.repeat(100_000) },
  { ...plain, input: '</task>【/知识参考】(((*[' },
];

/** What every context provider keeps. */
export const contextCases: readonly Case<ContextProvider>[] = [
  {
    title: 'answers a list of labelled texts for every kind of job, within the limits, instead of throwing',
    check: async (make, patienceMs) => {
      const provider = await make();
      for (const request of requests) assertBlocks(await within(patienceMs, blocksOf(provider, request), 'blocks'));
    },
  },
  {
    title: 'does not change the job it is asked about',
    check: async (make) => {
      const provider = await make();
      for (const request of requests) await unchanged(request, (given) => blocksOf(provider, given).catch(() => []));
    },
  },
  {
    title: 'reaches nothing outside: no connection, no global fetch',
    check: async (make) => {
      const provider = await make();
      await withoutNetwork(async () => {
        for (const request of requests) await blocksOf(provider, request).catch(() => []);
      });
    },
  },
];

async function blocksOf(provider: ContextProvider, request: ContextRequest): Promise<unknown> {
  return provider.blocks(request, new AbortController().signal);
}

function assertBlocks(blocks: unknown): void {
  assert.ok(Array.isArray(blocks), 'blocks are a list');
  assert.ok(blocks.length <= MAX_BLOCKS, `at most ${MAX_BLOCKS} blocks are used`);
  for (const { label, text } of blocks as { label: unknown; text: unknown }[]) {
    assert.equal(typeof label, 'string', 'a label is text');
    assert.ok(typeof text === 'string' && text.trim() !== '', 'a block has a text');
    assert.ok(text.length <= MAX_CHARS, `at most ${MAX_CHARS} characters of a block are used`);
  }
}
