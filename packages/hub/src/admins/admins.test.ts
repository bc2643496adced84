import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Records } from '@bailing/plugin-api';
import { hashPassword, type AdminResource } from '@bailing/resources';
import { expect } from 'chai';
import { adminsApi } from './admins.js';

const PASSWORD = 'password-of-somebody';

/** The older form of the contract, `s1$<salt hex>$<hash hex>`: half as dear as a new one. */
function oldHash(password: string): string {
  const salt = crypto.randomBytes(16);
  return `s1$${salt.toString('hex')}$${crypto.scryptSync(password, salt, 32, { N: 16_384, r: 8, p: 1 }).toString('hex')}`;
}

function records(): Records {
  const kept = new Map<string, { value: string; rev: number }>();
  return {
    get: (key) => Promise.resolve(kept.get(key) ?? null),
    put: (key, value) => {
      const rev = (kept.get(key)?.rev ?? 0) + 1;
      kept.set(key, { value, rev });
      return Promise.resolve(rev);
    },
    byTag: () => Promise.resolve([]),
    drop: (key) => Promise.resolve(void kept.delete(key)),
  };
}

describe('logins', () => {
  /** Cost of every hash that was made since. */
  const spent: string[] = [];
  const real = crypto.scrypt;
  before(() => {
    const counting = (...args: Parameters<typeof real>) => {
      const { N, r, p } = args[3];
      spent.push([N, r, p].join(','));
      return real(...args);
    };
    crypto.scrypt = counting as typeof real;
    syncBuiltinESMExports();
  });
  after(() => {
    crypto.scrypt = real;
    syncBuiltinESMExports();
  });

  async function login(admins: readonly AdminResource[], username: string, password: string) {
    const nothing = () => Promise.resolve();
    const api = adminsApi({
      ...{ admins: () => admins, sessions: records(), failures: records(), clock: { now: () => 1 }, note: nothing, setHash: nothing },
    });
    spent.length = 0;
    const right = await api.login({ username, password, address: '127.0.0.1' }).then(
      () => true,
      () => false,
    );
    return { right, cost: [...spent].sort() };
  }

  it('cost the same whoever is named: old hashes, new ones, passwords of the file, and names nobody has', async () => {
    const row = (username: string, more: object): AdminResource => ({ username, role: 'viewer', enabled: true, ...more });
    const admins = [
      row('old', { password_hash: oldHash(PASSWORD) }),
      row('new', { password_hash: await hashPassword(PASSWORD) }),
      row('file', { password: PASSWORD }),
      row('broken', { password_hash: 'no hash' }),
    ];
    for (const username of ['old', 'new', 'file', 'broken', 'nobody'])
      for (const password of [PASSWORD, 'wrong']) {
        const { right, cost } = await login(admins, username, password);
        expect(cost, `${username} with ${password}`).to.deep.equal(['16384,8,1', '32768,8,1']);
        expect(right).to.equal(password === PASSWORD && ['old', 'new', 'file'].includes(username));
      }
    expect((await login([], 'nobody', PASSWORD)).cost).to.deep.equal(['32768,8,1']);
  });
});
