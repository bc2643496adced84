import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { openKind } from './open-kind.js';

describe('opening a row of a kind', () => {
  const row = { member: 'tool_providers', name: 'shop', kind: 'odd', methods: ['refresh'] } as const;
  const failing = (error: unknown): BailingError => {
    try {
      openKind(row, () => {
        throw error;
      });
    } catch (said) {
      return said as BailingError;
    }
    throw new Error('it opened');
  };

  it('blames the row for whatever a plugin throws, without its words: they may hold a secret', () => {
    for (const error of [new Error('bad key sk-secret-of-the-row'), new TypeError('x'), 'text', undefined]) {
      const { code, at, message, detail } = failing(error);
      expect([code, at]).to.deep.equal(['BAILING_CONFIG_INVALID', 'tool_providers shop, kind']);
      expect(`${message} ${String(detail)}`)
        .to.contain('odd')
        .and.not.contain('sk-secret');
    }
  });

  it('passes on what a kind says in the words of the catalogue, and where', () => {
    const named = new BailingError('BAILING_CONFIG_INVALID', { at: 'tool_providers shop, spec_json', detail: 'It is no document.' });
    expect(failing(named)).to.equal(named);
    expect(failing(new BailingError('BAILING_SPEC_UNREADABLE', { detail: 'It is no document.' }))).to.include({
      code: 'BAILING_CONFIG_INVALID',
      at: 'tool_providers shop, kind',
      detail: 'It is no document.',
    });
  });
});
