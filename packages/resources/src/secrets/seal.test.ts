import { expect } from 'chai';
import { kindOf, objectKinds } from '../objects/kinds.js';
import { masked, maskedSecrets, maskToken, withKeptSecrets } from '../objects/mask.js';
import { needsReseal, openObject, sealObject } from './documents.js';
import { readKeyRing } from './key-ring.js';
import { seal, sealedUnder, unseal } from './seal.js';

const OLD = 'an-old-key-of-more-than-32-characters';
const NEW = 'a-new-key-of-more-than-32-characters!';
const ring = readKeyRing(`# remark\n${NEW}\n${OLD}\n`, 'here');
const place = { kind: 'clients', name: 'crm', field: 'token' };
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'nothing was thrown';
};

describe('Secrets at rest', () => {
  it('open where they were sealed, under any key of the ring, and are never sealed twice alike', () => {
    const sealed = seal('tøken 😀', place, ring);
    expect(unseal(sealed, place, ring)).to.equal('tøken 😀');
    expect(seal('tøken 😀', place, ring)).to.not.equal(sealed);
    expect(sealedUnder(sealed)).to.equal(ring.current.id);
    const old = seal('x', place, readKeyRing(OLD, 'here'));
    expect(unseal(old, place, ring)).to.equal('x');
    expect(sealedUnder(old)).to.not.equal(ring.current.id);
  });

  it('do not open in another object, field or kind, changed, or without their key', () => {
    const sealed = seal('x', place, ring);
    for (const other of [{ name: 'shop' }, { field: 'secret' }, { kind: 'executor_tokens' }])
      expect(codeOf(() => unseal(sealed, { ...place, ...other }, ring))).to.equal('BAILING_SECRET_UNREADABLE');
    const last = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(codeOf(() => unseal(last, place, ring))).to.equal('BAILING_SECRET_UNREADABLE');
    expect(codeOf(() => unseal(sealed, place, readKeyRing(OLD, 'here')))).to.equal('BAILING_SECRET_UNREADABLE');
    expect(codeOf(() => unseal('in the clear', place, ring))).to.equal('BAILING_SECRET_UNREADABLE');
  });

  it('cannot be told apart by where one part of their place ends and the next begins', () => {
    const sealed = seal('x', { kind: 'a', name: 'b|1:c', field: 'd' }, ring);
    expect(codeOf(() => unseal(sealed, { kind: 'a', name: 'b', field: 'c|1:d' }, ring))).to.equal('BAILING_SECRET_UNREADABLE');
  });

  it('take keys of any sensible form and length, and refuse what is none', () => {
    expect(readKeyRing(`${NEW},${OLD}`, 'here').all).to.have.length(2);
    expect(readKeyRing('ü'.repeat(400), 'here').all).to.have.length(1);
    for (const text of ['', '# only a remark', 'short', Array(17).fill(NEW).join('\n')])
      expect(
        codeOf(() => readKeyRing(text, 'here')),
        text,
      ).to.equal('BAILING_SECRET_KEY_INVALID');
  });

  it('stand in stored objects sealed and nowhere else, whatever the kind', () => {
    for (const kind of objectKinds) {
      const value = Object.fromEntries([...kind.secrets.map((path) => [path, 'planted-secret']), ['name', 'n']]) as Record<string, unknown>;
      const doc = sealObject(kind, 'n', value, () => ring);
      expect(doc).to.not.include('planted-secret');
      expect(openObject(kind, 'n', doc, () => ring)).to.deep.equal(value);
      expect(needsReseal(kind, doc, ring.current.id)).to.equal(false);
      expect(needsReseal(kind, doc, 'another')).to.equal(kind.secrets.length > 0);
      expect(JSON.stringify(masked(kind, value))).to.not.include('planted-secret');
    }
    const noRing = () => expect.fail('no key is asked for where there is no secret');
    expect(sealObject(kindOf('targets'), 'n', { name: 'n' }, noRing)).to.equal('{"name":"n"}');
  });

  it('are shown by their ends where they are tokens, and kept when they come back so', () => {
    expect([maskToken('0123456789abcdef'), maskToken('123456789'), maskToken('1234567890')]).to.deep.equal([
      '01234…cdef',
      '…',
      '12345…7890',
    ]);
    const clients = kindOf('clients');
    const before = { app_id: 'a', token: '0123456789abcdef' };
    for (const token of ['', null, undefined, '01234…cdef'])
      expect(withKeptSecrets(clients, { app_id: 'a', token }, before)['token']).to.equal(before.token);
    expect(withKeptSecrets(clients, { token: 'fedcba9876543210' }, before)['token']).to.equal('fedcba9876543210');
    expect(maskedSecrets(clients, { token: 'fedcb…3210' })).to.deep.equal(['token']);
  });
});
