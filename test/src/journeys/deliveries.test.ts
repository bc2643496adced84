import { expect } from 'chai';
import { admin } from '../support/desk.js';
import { eventsOf } from '../support/http.js';
import { makeInputWorld, type InputWorld } from '../support/input-world.js';
import { CHANNEL_SECRET, startMailroom, type Mailroom } from '../support/mailroom.js';
import { PAGER_PLUGIN, PAGER_TOKEN, startPager, type Pager } from '../support/pager.js';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

describe('journey: answers that are delivered through a channel', function () {
  this.timeout(30_000);
  let mailroom: Mailroom;
  let pager: Pager;
  let world: InputWorld;
  let answer = '';
  before(async () => {
    [mailroom, pager] = [await startMailroom(), await startPager()];
    world = await makeInputWorld({
      routes: { desk: undefined, call: undefined },
      media: { '/chart.png': PNG, '/report.csv': Buffer.from('no,amount\n'), '/note.mp3': Buffer.from('ID3') },
      brain: () => answer,
      perRoute: {
        desk: { delivery: { type: 'channel', channel: 'ops', to: 'boss' } },
        call: { delivery: { type: 'channel', channel: 'on-call', to: 'p1' } },
      },
      more: {
        plugins: [PAGER_PLUGIN],
        channels: [
          { name: 'ops', kind: 'webhook', config: { url: `${mailroom.url}/in`, secret: CHANNEL_SECRET } },
          { name: 'on-call', kind: 'pager', config: { url: pager.url, token: PAGER_TOKEN, page_chars: 500 } },
        ],
      },
    });
    answer = [
      'Done: ![the chart](URL/chart.png), ![gone](URL/gone.png), ![inside](http://169.254.169.254/a.png),',
      '[June report.csv](URL/report.csv), [voice: note](URL/note.mp3), [a page](https://example.com/page).',
    ]
      .join(' ')
      .replaceAll('URL', world.media.url);
  });
  after(async () => {
    await world.close();
    await mailroom.close();
    await pager.close();
  });

  /** The message job that a job's delivery became, at its end. */
  async function delivered(route: string): Promise<{ readonly status: unknown; readonly text: string }> {
    const { job } = await world.run(route, 'Go');
    const id = String(job.job_id);
    for (;;) {
      const [queued] = (await eventsOf(world.hub.url, id)).filter(({ event }) => event === 'delivery_queued');
      const child = queued && (await admin(world.hub.url, 'GET', `/runs/${String(queued.detail.child_job)}`)).body;
      if (child && ['done', 'error'].includes(String(child.status)))
        return { status: child.status, text: String((child.result as { text?: string } | null)?.text) };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('bring what they link to, as far as it can be had; the rest stays a link', async () => {
    expect(await delivered('desk')).to.deep.equal({ status: 'done', text: 'Sent through ops to 1 recipient. Left as links: 2.' });
    const { text, images, files } = mailroom.got[0] as unknown as Record<'images' | 'files', { name: string; base64: string }[]> & {
      text: string;
    };
    expect(text).to.equal(answer);
    expect(images.map(({ name, base64 }) => [name, base64])).to.deep.equal([['chart.png', PNG.toString('base64')]]);
    expect(files.map(({ name }) => name)).to.deep.equal(['June report.csv', 'note.mp3']);
    expect(mailroom.got).to.have.length(1);
  });

  it('are the text alone where the channel takes no files', async () => {
    expect(await delivered('call')).to.deep.equal({ status: 'done', text: 'Sent through on-call to 1 recipient. Left as links: 5.' });
    expect(pager.got.map(({ page }) => page)).to.deep.equal([answer]);
  });
});
