import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { missing, SDKS } from './runners.js';
import { problems, type Schema } from './schema-subset.js';
import { askedOf, PARTIES, readVectors } from './vectors.js';

const FOLDER = path.join(SDKS, 'vectors');
const schema = JSON.parse(readFileSync(path.join(FOLDER, 'schema.json'), 'utf8')) as Schema;

describe('the vector files', () => {
  const files = readVectors(FOLDER);
  const cases = files.flatMap((file) => file.cases);

  for (const file of files) {
    it(`${file.group} fits the schema and explains every flag`, () => {
      expect(problems(file, schema)).to.deep.equal([]);
      for (const { id, flags } of file.cases) for (const flag of flags) expect(file.flags, id).to.have.property(flag);
    });
  }

  it('the schema finds what is wrong', () => {
    const [first] = files;
    const bent = { ...first, extra: 1, clock: 'h', cases: [{ ...first?.cases[0], id: 'no group', note: '' }] };
    const found = problems(bent, schema);
    expect(found).to.include('/extra: is not allowed here');
    expect(found).to.include('/clock: is none of the listed values');
    expect(found.join())
      .to.match(/\/cases\/0\/id: does not match/)
      .and.to.match(/\/cases\/0\/note: is too short/);
    expect(() => problems({}, { oneOf: [] })).to.throw('oneOf');
  });

  it('are many, and at least half of them hostile', () => {
    const hostile = cases.filter(({ flags }) => flags.includes('hostile'));
    expect(cases.length).to.be.at.least(200);
    expect(hostile.length * 2).to.be.at.least(cases.length);
  });

  it('hold every group of the plan and every frozen vector of the contract', () => {
    const groups = ['callback', 'canonical', 'decision', 'gate', 'header-parsing', 'spec-builder', 'spec-fetch', 'ticket', 'tool-call'];
    expect(files.map(({ group }) => group)).to.have.members(groups);
    const frozen = new Map(cases.filter(({ flags }) => flags.includes('frozen')).map(({ id, expected }) => [id, expected?.result]));
    expect(frozen.get('tool-call/frozen-sign-post')).to.equal('sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5');
    expect(frozen.get('tool-call/frozen-sign-get-spec')).to.equal(
      'sha256=505ab99763cd20b50ba4066ee2ac315fe6af12a8638e7dabef63508abddedc74',
    );
    expect(frozen.get('callback/frozen-sign')).to.equal('sha256=ca81d247422d926be3066f065a8c92a1beaffc6f37f01ef7d3e2c47b46f63210');
    expect(frozen.size).to.be.at.least(18);
  });

  it('ask every party, and every SDK the same questions', () => {
    const [node, python, php, hub] = PARTIES.map((party) => [...askedOf(files, party).keys()]);
    expect(node).to.deep.equal(python).and.to.deep.equal(php);
    expect(node).to.have.length(cases.length);
    expect(hub).to.have.length.greaterThan(400);
  });

  it('are what the generator writes', () => {
    if (missing('python') !== null) {
      if (process.env['CI']) throw new Error('python is not installed, and CI refuses that');
      return;
    }
    const run = spawnSync('python3', [path.join(FOLDER, 'generator'), '--check'], { encoding: 'utf8' });
    expect(run.stdout).to.match(/up to date/);
    expect(run.status).to.equal(0);
  });
});
