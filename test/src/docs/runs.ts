import { expect } from 'chai';
import { commandsOf, isShell, type Page } from './pages.js';
import { isElsewhere, play } from './play.js';
import { besideHub, type Stage } from './stage.js';
import { STAGES } from './stages.js';

/** Pages whose commands take long, mostly by starting processes one after the other: they run in CI, from test/src/crash. */
export const LONG: ReadonlySet<string> = new Set([
  'docs/how-to/configuration-as-code.md',
  'docs/how-to/keep-evidence.md',
  'docs/how-to/operate.md',
  'docs/how-to/settle-unknown-calls.md',
  'docs/how-to/stop-calls.md',
]);

/** One test for each page that has commands. */
export function playPages(pages: readonly Page[]): void {
  for (const page of pages) {
    const run = page.blocks
      .filter(isShell)
      .flatMap(commandsOf)
      .filter(({ text }) => !isElsewhere(text));
    if (run.length === 0) continue;
    it(`of ${page.file} do what the page says (${String(run.length)})`, async () => {
      let stage: Stage | undefined;
      try {
        stage = await (STAGES[page.file] ?? besideHub)();
        expect(await play(page, stage)).to.deep.equal([]);
      } finally {
        await stage?.close();
      }
    });
  }
}
