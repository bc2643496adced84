import type { ContextProvider } from '@bailing/plugin-api';
import { conformance, contextCases } from '../index.js';
import { proveCases } from '../test-support/prove.js';

const echo: ContextProvider = { blocks: ({ input }) => [{ label: 'the request', text: `> ${input.slice(0, 1_000)}` }] };
const provider = (blocks: (request: Parameters<ContextProvider['blocks']>[0]) => unknown): (() => ContextProvider) => {
  return () => ({ blocks: blocks as ContextProvider['blocks'] });
};

describe('the cases of context providers', () => {
  proveCases<ContextProvider>(contextCases, { 'one that repeats the request': () => echo, 'one that adds nothing': provider(() => []) }, [
    ['answers one block instead of a list', 'answers a list', provider(() => ({ label: 'a', text: 'b' }))],
    ['answers texts without labels', 'answers a list', provider(() => [{ text: 'b' }])],
    ['answers empty blocks', 'answers a list', provider(() => [{ label: 'a', text: ' ' }])],
    ['repeats a request of any length', 'answers a list', provider(({ input }) => [{ label: 'a', text: `> ${input}` }])],
    ['answers a hundred blocks', 'answers a list', provider(() => Array.from({ length: 100 }, () => ({ label: 'a', text: 'b' })))],
    ['takes a principal for granted', 'instead of throwing', provider(({ principal }) => [{ label: principal!.trim(), text: 'b' }])],
    ['never answers', 'answers a list', provider(() => new Promise(() => undefined))],
    ['rewrites the metadata', 'does not change the job', provider(({ metadata }) => (Reflect.set(metadata, 'seen', true), []))],
    ['asks a server', 'reaches nothing outside', provider(() => (void fetch('http://127.0.0.1:9/').catch(() => undefined), []))],
  ]);
});

describe('a context provider that is declared to conform', () => {
  conformance.context(() => echo);
});
