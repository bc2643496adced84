import { InvalidObject } from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';
import type { ObjectMember } from '@bailing/resources';
import { misfitText, type Combination } from './findings.js';

/** Judges a whole configuration for one object's change: what is wrong with the object is 400 with its fields, what it breaks elsewhere is 409. */
export function judgeOf(member: ObjectMember, name: string): (combination: Combination) => void {
  return ({ misfits }) => {
    const own = misfits.filter((one) => one.member === member && one.name === name);
    if (own.length > 0) throw new InvalidObject(own.map(({ path, says }) => ({ at: path, says })));
    if (misfits.length > 0) throw new BailingError('BAILING_OBJECT_IN_USE', { detail: misfits.slice(0, 10).map(misfitText).join('; ') });
  };
}
