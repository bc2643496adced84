import { expect } from 'chai';
import { whereIs } from './checkout.js';
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

/** Commands of the pages that a machine with Node, git and python3 alone does not have. */
const FOREIGN = /\b(?:curl|openssl|sqlite3|mariadb-dump|mariadb)\b/g;

/** What these commands need and this machine does not have. */
export function missing(texts: readonly string[]): readonly string[] {
  const named = ['bash', ...texts.flatMap((text) => text.match(FOREIGN) ?? [])];
  return [...new Set(named)].filter((command) => whereIs(command) === undefined);
}

/** One test for each page that has commands. */
export function playPages(pages: readonly Page[]): void {
  for (const page of pages) {
    const run = page.blocks
      .filter(isShell)
      .flatMap(commandsOf)
      .filter(({ text }) => !isElsewhere(text));
    if (run.length === 0) continue;
    it(`of ${page.file} do what the page says (${String(run.length)})`, async function () {
      const absent = missing(run.map(({ text }) => text));
      if (absent.length > 0) {
        process.stderr.write(`The commands of ${page.file} skipped, because there is no ${absent.join(', ')}.\n`);
        this.skip();
      }
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
