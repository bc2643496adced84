import assert from 'node:assert/strict';
import type { InputHandler, InputModel, InputReading, InputRequest, Material } from '@bailing/plugin-api';
import { freezeDeep } from '../freeze.js';
import type { Case } from './case.js';
import { assertText, unchanged, within } from './watch.js';

/** What the cases need of an author: a handler, and one thing of a type it accepts that holds text. */
export interface InputSetup {
  readonly handler: InputHandler;
  readonly material: Material;
  /** The model it is given, for handlers that ask one. */
  readonly model?: InputModel;
  /** Of the policy, where it matters; `extract`, `prepass` or `transcribe` by the medium where absent. */
  readonly mode?: string;
  readonly protocol?: string;
}

const TYPE = /^[a-z]+\/(\*|[a-z0-9][a-z0-9.+-]*)$/;
const MODES = { file: 'extract', image: 'prepass', audio: 'transcribe' } as const;

/** What every input handler keeps: it reads what it is given, and what it cannot read is an outcome with a sentence. */
export const inputCases: readonly Case<InputSetup>[] = [
  {
    title: 'names its medium and the media types it reads',
    check: async (make) => {
      const { handler } = await make();
      assert.ok(['image', 'audio', 'file'].includes(handler.medium), 'the medium is image, audio or file');
      assert.ok(handler.accepts.length > 0, 'it reads no media type');
      for (const type of handler.accepts) assert.match(type, TYPE, 'a media type is written type/subtype or type/*');
    },
  },
  {
    title: 'reads what it accepts to text',
    check: async (make, patienceMs) => {
      const setup = await make();
      const { accepts } = setup.handler;
      const { mediaType } = setup.material;
      const fits = accepts.some((type) => type === mediaType || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1))));
      assert.ok(fits, `the thing of the author is ${mediaType}, which it does not accept`);
      const reading = await readIt(setup, setup.material, patienceMs);
      assert.equal(reading.is, 'text', 'it did not read the thing of its author');
    },
  },
  {
    title: 'says of bytes that are no such thing that it failed or that nothing is in them, in a sentence',
    check: async (make, patienceMs) => {
      const setup = await make();
      const bytes = [
        new Uint8Array([0]),
        Uint8Array.from({ length: 5_000 }, (_byte, n) => (n * 131 + 7) % 256),
        setup.material.bytes.slice(0, 3),
      ];
      for (const wrong of bytes) assertReading(await readIt(setup, { ...setup.material, bytes: wrong }, patienceMs));
    },
  },
  {
    title: 'reads the same thing the same way, twice at once',
    check: async (make, patienceMs) => {
      const setup = await make();
      const [one, other] = await Promise.all([readIt(setup, setup.material, patienceMs), readIt(setup, setup.material, patienceMs)]);
      assert.deepEqual(one, other);
    },
  },
  {
    title: 'changes neither the request nor the bytes',
    check: async (make) => {
      const setup = await make();
      const { model, ...request } = requestOf(setup, { ...setup.material, bytes: new Uint8Array(setup.material.bytes) });
      const signal = new AbortController().signal;
      await unchanged(request as InputRequest, (given) => setup.handler.read({ ...given, ...(model && { model }) }, signal));
    },
  },
  {
    title: 'comes to an end when its signal is aborted',
    check: async (make, patienceMs) => {
      const setup = await make();
      const ended = Promise.allSettled([setup.handler.read(requestOf(setup, setup.material), AbortSignal.abort())]);
      await within(patienceMs, ended, 'an aborted reading');
    },
  },
  {
    title: 'tells a length in seconds or none, where it tells one at all, whatever the bytes are',
    check: async (make, patienceMs) => {
      const { handler, material } = await make();
      for (const bytes of [material.bytes, material.bytes.slice(0, 3), new Uint8Array([0]), new Uint8Array(5_000).fill(0xff)]) {
        const seconds = await within(patienceMs, Promise.resolve(handler.seconds?.({ ...material, bytes })), 'a length');
        assert.ok(seconds === undefined || (seconds >= 0 && Number.isFinite(seconds)), 'a length is a number of seconds or undefined');
      }
    },
  },
];

function requestOf({ handler, model, mode, protocol }: InputSetup, material: Material): InputRequest {
  return {
    mode: mode ?? MODES[handler.medium],
    materials: [material],
    maxChars: 24_000,
    ...(handler.medium === 'image' && { question: 'What does it show?' }),
    ...(handler.medium === 'audio' && { protocol: protocol ?? 'transcriptions' }),
    ...(model && { model }),
  };
}

async function readIt(setup: InputSetup, material: Material, patienceMs: number): Promise<InputReading> {
  const request = Object.freeze(requestOf(setup, freezeMaterial(material)));
  const reading = await within(patienceMs, setup.handler.read(request, new AbortController().signal), 'a reading');
  assertReading(reading);
  return reading;
}

/** Bytes cannot be frozen; what is around them can. */
function freezeMaterial(material: Material): Material {
  return Object.freeze({
    ...freezeDeep({ index: material.index, name: material.name, mediaType: material.mediaType }),
    bytes: material.bytes,
  });
}

function assertReading(reading: InputReading): void {
  assert.ok(['text', 'nothing', 'failed'].includes(reading.is), 'a reading is text, nothing or failed');
  if (reading.is === 'text') assertText(reading.text, 'the text', 100_000_000);
  else assertText(reading.says, 'what a reading says', 1_000);
  if (reading.parser !== undefined) assertText(reading.parser, 'the name of the parser', 40);
}
