import fs from 'node:fs';
import path from 'node:path';
import type { InputHandler, Plugin, PluginContext } from '@bailing/plugin-api';
import { conformance } from '@bailing/plugin-kit';
import { expect } from 'chai';
import { makeInputWorld } from '../support/input-world.js';
import { root } from '../support/root.js';

const example = path.join(root, 'docs', 'examples', 'input-calendar');
const CALENDAR = `BEGIN:VCALENDAR\r
BEGIN:VEVENT\r
SUMMARY:Stand-up\\, short\r
DTSTART:20261204T090000Z\r
DTEND:20261204T100000Z\r
LOCATION:Room\r
  2\r
END:VEVENT\r
END:VCALENDAR\r
`;
const LINE = '2026-12-04 09:00 UTC to 2026-12-04 10:00 UTC: Stand-up, short; at Room 2';

/** The plugin as it lies in its folder, loaded by its path. */
async function load(): Promise<Plugin> {
  return ((await import(path.join(example, 'index.mjs'))) as { default: Plugin }).default;
}

describe('the plugin of docs/how-to/write-an-input.md', function () {
  this.timeout(20_000);

  it('is, on the page, the file that this test loads', () => {
    const page = fs.readFileSync(path.join(root, 'docs', 'how-to', 'write-an-input.md'), 'utf8');
    const shown = /<!-- file: docs\/examples\/input-calendar\/index\.mjs -->\n\n```js\n([\s\S]*?)```/.exec(page)?.[1];
    expect(shown).to.equal(fs.readFileSync(path.join(example, 'index.mjs'), 'utf8'));
  });

  conformance.input(async () => ({
    handler: (await load()).contributions[0]?.make({ config: { most_events: 100 } } as unknown as PluginContext) as InputHandler,
    material: { index: 0, name: 'mine.ics', mediaType: 'text/calendar', bytes: Buffer.from(CALENDAR) },
  }));

  it('reads calendars once it is named and chosen in the configuration', async () => {
    const world = await makeInputWorld({
      routes: { desk: undefined },
      media: { '/mine.ics': Buffer.from(CALENDAR), '/notes.txt': Buffer.from('notes') },
      more: { plugins: [example], inputs: { 'text/calendar': 'input-calendar' } },
    });
    try {
      const { events } = await world.run('desk', `Free? [file: mine](${world.media.url}/mine.ics) [notes](${world.media.url}/notes.txt)`);
      expect(world.lastUser())
        .to.include(`(text/calendar)\n<attached-file>\n${LINE}\n</attached-file>`)
        .and.include('notes\n</attached-file>');
      const parsers = events.filter(({ event }) => event === 'file_input').map(({ detail }) => detail.parser);
      expect(parsers).to.deep.equal(['calendar', 'text']);
    } finally {
      await world.close();
    }
  });

  it('stops the start where nobody has chosen between it and the built-in', async () => {
    let failure: unknown;
    await makeInputWorld({ routes: { desk: undefined }, media: {}, more: { plugins: [example] } }).catch(
      (error: unknown) => (failure = error),
    );
    expect(String(failure)).to.include('input-file and input-calendar both read text/calendar');
    expect(failure).to.have.property('code', 'BAILING_INPUT_AMBIGUOUS');
  });
});
