import { expect } from 'chai';
import { BailingError, errorCatalogue, type ErrorCode, type ErrorEntry } from './index.js';

const rows = Object.entries(errorCatalogue) as [ErrorCode, ErrorEntry][];
/** Words of the contract that stand on the wire exactly like this (WIRE §2.2): they are no sentences. */
const WIRE_WORDS = new Set(['payload too large', 'not found', 'server shutting down', 'internal_error']);

describe('the error catalogue', () => {
  it('gives every code a status, a blame, a retry rule, what it says and what to do, and nothing else', () => {
    for (const [code, row] of rows) {
      expect(code).to.match(/^BAILING(_[A-Z]+){2,}$/);
      expect(Object.keys(row), code).to.have.members(['status', 'blame', 'retry', 'says', 'fix']);
      expect(row.status, code).to.satisfy(
        (status: number) => Number.isInteger(status) && (status === 200 || (status >= 400 && status < 600)),
      );
      expect(row.blame, code).to.be.oneOf(['caller', 'plugin', 'operator', 'business', 'hub']);
      expect(row.retry, code).to.be.oneOf(['never', 'same-key', 'later']);
    }
  });

  it('speaks in sentences that begin with a capital and end with a full stop, wire words apart', () => {
    for (const [code, { says, fix }] of rows) {
      for (const sentence of WIRE_WORDS.has(says) ? [fix] : [says, fix]) expect(sentence, code).to.match(/^[A-Z].{8,}\.$/);
    }
  });

  it('says something different for every code', () => {
    expect(new Set(rows.map(([, { says }]) => says)).size).to.equal(rows.length);
  });

  it('is frozen, rows included', () => {
    expect(Object.isFrozen(errorCatalogue)).to.equal(true);
    for (const [code, row] of rows) expect(Object.isFrozen(row), code).to.equal(true);
  });
});

describe('an error of the catalogue', () => {
  it('reads as place, sentence and detail, and keeps its parts for programs', () => {
    const cause = new Error('inner');
    const error = new BailingError('BAILING_ARGS_INVALID', { at: 'items[0].sku', detail: 'Must be text.', cause });
    expect(error.message).to.equal('items[0].sku: The arguments do not match the schema of the tool. Must be text.');
    expect(error).to.include({ name: 'BailingError', code: 'BAILING_ARGS_INVALID', at: 'items[0].sku', detail: 'Must be text.', cause });
    expect(error.entry).to.equal(errorCatalogue.BAILING_ARGS_INVALID);
    expect(new BailingError('BAILING_ARGS_INVALID')).to.not.have.property('cause');
  });
});
