import { expect } from 'chai';
import { routes } from './routes/index.js';
import { ADMIN_TOKEN, CLIENT_TOKEN, EXECUTOR_TOKEN, FakeHub, JOB_ID } from './test-support/fake-hub.js';
import { serve, type Serving } from './test-support/serving.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

describe('a known path asked with a method it does not have', () => {
  let at: Serving;
  before(async () => {
    const metrics = { admits: () => true, read: () => Promise.resolve({ type: 'text/plain', text: '' }) };
    at = await serve({ hub: Object.assign(new FakeHub(), { metrics }) });
  });
  after(() => at.server.stop());

  const concrete = (path: string) => path.replace(/:job|:id\b/g, JOB_ID).replace(/:\w+/g, 'made');
  const paths = [...new Set(routes.map(({ path }) => concrete(path)))];
  const takes = (path: string) => {
    const found = routes.filter((route) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path));
    return { methods: new Set(found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))), found };
  };

  it('answers 405 and what it allows, every one of them', async () => {
    for (const path of paths) {
      const { methods, found } = takes(path);
      const open = found.every(({ access }) => access === 'public' || access === 'own');
      for (const method of METHODS.filter((one) => !methods.has(one))) {
        const answer = await at.ask(method, path, open ? {} : { token: ADMIN_TOKEN });
        const says = `${method} ${path}`;
        if (path.startsWith('/executor/')) {
          // WIRE §1.2: nothing but POST, for anybody.
          expect(answer.status, says).to.equal(403);
          continue;
        }
        expect(answer.status, says).to.equal(405);
        expect(answer.headers['allow'], says).to.equal([...methods].sort().join(', '));
        if (method !== 'HEAD') expect(answer.json(), says).to.include({ error: 'method not allowed', code: 'BAILING_REQUEST_METHOD' });
      }
    }
  });

  it('says so to nobody who may not come in: 401 and 403 go before', async () => {
    for (const path of paths.filter((one) => one.startsWith('/admin/api/'))) {
      const { methods } = takes(path);
      const method = METHODS.find((one) => !methods.has(one) && one !== 'HEAD') ?? 'PATCH';
      expect((await at.ask(method, path, {})).status, path).to.equal(401);
      for (const token of [CLIENT_TOKEN, EXECUTOR_TOKEN]) expect((await at.ask(method, path, { token })).status, path).to.equal(403);
    }
  });

  it('is not found where this hub does not have it, or nobody has', async () => {
    const bare = await serve();
    try {
      expect((await bare.ask('POST', '/metrics', {})).status).to.equal(404);
      expect((await bare.ask('GET', '/metrics', {})).status).to.equal(404);
      expect((await bare.ask('POST', '/admin/api/nothing', { token: ADMIN_TOKEN })).status).to.equal(404);
      expect((await bare.ask('POST', '/nothing', {})).status).to.equal(401);
    } finally {
      await bare.server.stop();
    }
  });
});
