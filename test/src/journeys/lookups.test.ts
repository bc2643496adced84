import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { ShopWorld } from '../support/shop-world.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from '../support/world.js';

interface Head {
  readonly job_id: string;
}

for (const fixture of await databases()) {
  describe(`Everything that matches can be walked, on ${fixture.name}`, function () {
    this.timeout(30_000);
    const JOBS = 23;
    let world: ShopWorld;
    let submitted: readonly string[];
    before(async () => {
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent' } });
      submitted = await Promise.all(Array.from({ length: JOBS }, () => world.submit('x'.repeat(5_000), { principal: { id: 'u-ada' } })));
    });
    after(() => world.close());

    const get = async (at: string) => {
      const response = await fetch(world.url + at, { headers: { authorization: `Bearer ${SERVER_TOKEN}` } });
      return { status: response.status, next: response.headers.get('x-next-cursor'), body: (await response.json()) as never };
    };

    it('by client and by principal, page after page', async () => {
      for (const filter of [
        'client_id=back-office',
        'client_app_id=back-office',
        'principal_id=u-ada',
        'client_id=back-office&principal_id=u-ada',
      ]) {
        const walked: string[] = [];
        for (let cursor = ''; ;) {
          const { body } = await get(`/admin/api/runs/trace?${filter}&limit=5&cursor=${cursor}`);
          const page = body as { matches: Head[]; count: number; next_cursor?: string; trace?: unknown };
          expect(page.count).to.equal(page.matches.length);
          expect(page.trace, 'one of many is no single match').to.equal(undefined);
          walked.push(...page.matches.map(({ job_id }) => job_id));
          if (page.next_cursor === undefined) break;
          cursor = page.next_cursor;
        }
        expect(walked, filter).to.have.length(JOBS);
        expect(new Set(walked)).to.deep.equal(new Set(submitted));
      }
    });

    it('all runs, by cursor as by offset', async () => {
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await get(`/admin/api/runs?limit=7&cursor=${cursor}`);
        walked.push(...(page.body as Head[]).map(({ job_id }) => job_id));
        cursor = page.next;
      }
      const byOffset = (await get('/admin/api/runs?limit=200')).body as Head[];
      expect(walked).to.deep.equal(byOffset.map(({ job_id }) => job_id));
      expect(walked).to.have.length(JOBS);
    });

    it('one of many asked for with limit=1 is not taken for a single match; one of one comes with its trace', async () => {
      expect((await get('/admin/api/runs/trace?principal_id=u-ada&limit=1')).body)
        .to.include.keys('next_cursor')
        .and.not.include.keys('trace');
      expect((await get(`/admin/api/runs/trace?job_id=${submitted[0] ?? ''}`)).body).to.include.keys('trace', 'job', 'matches');
    });

    it('a cursor that is none is refused, and so is one together with an offset', async () => {
      for (const at of ['/admin/api/runs?cursor=x', '/admin/api/runs/trace?principal_id=u&cursor=1', '/admin/api/delivery-dlq?cursor=-1']) {
        const { status, body } = await get(at);
        expect([status, (body as { at: string }).at], at).to.deep.equal([400, 'cursor']);
      }
      expect((await get(`/admin/api/runs?offset=1&cursor=1_${submitted[0] ?? ''}`)).status).to.equal(400);
      expect((await ask(world.url, 'GET', '/admin/api/runs/trace?principal_id=u-ada', undefined, CLIENT_TOKEN)).status).to.equal(403);
    });
  });
}
