import { expect } from 'chai';
import { createJudges } from './ajv.js';

describe('the judges', () => {
  it('are replaced after a number of schemas, while validators of the older ones go on judging', () => {
    const judges = createJudges(false, 2);
    const first = judges();
    const validate = first.compile({ type: 'string', pattern: '^a$' });
    expect(judges()).to.equal(first);
    expect(judges()).not.to.equal(first);
    expect(first.errors(validate, 'b').errors).to.have.length(1);
    expect(first.errors(validate, 'a').errors).to.have.length(0);
  });
});
