import { expect } from 'chai';
import { readAcc } from '@bailing/contract';
import path from 'node:path';
import { SDKS } from './runners.js';
import { readVectors } from './vectors.js';

interface Operation {
  readonly operationId: string;
  readonly 'x-agent-capability': unknown;
}
interface Built {
  readonly document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
}

const group = readVectors(path.join(SDKS, 'vectors')).find((file) => file.group === 'spec-builder');
const built = (group?.cases ?? []).flatMap(({ id, expected }) =>
  expected && !expected.result.startsWith('error:') ? [{ id, ...(JSON.parse(expected.result) as Built) }] : [],
);

describe('the documents that the builders build', () => {
  it('declare every tool so that the hub reads it without a complaint', () => {
    let operations = 0;
    for (const { id, document } of built) {
      for (const [method, operation] of Object.values(document.paths).flatMap((item) => Object.entries(item))) {
        operations += 1;
        const reading = readAcc(operation['x-agent-capability'], method.toUpperCase());
        expect(reading.problems, `${id} ${operation.operationId}`).to.deep.equal([]);
        expect(reading.acc, id).not.to.equal(null);
      }
    }
    expect(operations).to.be.greaterThan(30);
  });
});
