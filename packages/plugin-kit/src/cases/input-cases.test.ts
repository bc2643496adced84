import type { InputHandler, InputReading, InputRequest } from '@bailing/plugin-api';
import { conformance, inputCases, type InputSetup } from '../index.js';
import { proveCases } from '../test-support/prove.js';

const material = { index: 0, name: 'a.csv', mediaType: 'text/csv', bytes: Buffer.from('a,b\n1,2\n') };
const FAILED: InputReading = { is: 'failed', says: 'it is no table.' };

function read({ materials: [{ bytes }] }: InputRequest): InputReading {
  const text = Buffer.from(bytes).toString();
  return text.includes(',') && text.includes('\n') ? { is: 'text', text } : FAILED;
}
const by =
  (one: (request: InputRequest, signal: AbortSignal) => unknown, more: Partial<InputHandler> = {}) =>
  (): InputSetup => ({
    handler: {
      medium: 'file',
      accepts: ['text/csv'],
      read: async (request, signal) => (await one(request, signal)) as InputReading,
      ...more,
    },
    material,
  });

describe('the cases of inputs', () => {
  let reads = 0;
  proveCases<InputSetup>(inputCases, { 'a reader of tables': by(read) }, [
    ['names a medium there is not', 'names its medium', by(read, { medium: 'smell' as 'file' })],
    ['accepts what is no media type', 'names its medium', by(read, { accepts: ['.csv'] })],
    ['does not accept its own thing', 'to text', by(read, { accepts: ['text/html'] })],
    ['fails on its own thing', 'to text', by(() => FAILED)],
    [
      'throws for bad bytes',
      'are no such thing',
      by((request) => (read(request).is === 'text' ? read(request) : Promise.reject(new Error('?')))),
    ],
    [
      'says nothing about bad bytes',
      'are no such thing',
      by((request) => (read(request).is === 'text' ? read(request) : { is: 'failed' })),
    ],
    ['answers differently each time', 'the same way', by(() => ({ is: 'text', text: `reading ${String(++reads)}` }))],
    [
      'writes into the bytes',
      'changes neither',
      by((request) => {
        const whole = read(request);
        request.materials[0].bytes[0] = 0;
        return whole;
      }),
    ],
    ['tells a length that is none', 'a length in seconds', by(read, { seconds: ({ bytes }) => (bytes.length > 100 ? NaN : 1) })],
    ['goes on after the signal', 'aborted', by((request, { aborted }) => (aborted ? new Promise(() => undefined) : read(request)))],
  ]);
});

describe('a reader of tables', () => {
  conformance.input(by(read));
});
