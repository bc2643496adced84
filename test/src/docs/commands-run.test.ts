import { expect } from 'chai';
import { ELSEWHERE } from './elsewhere.js';
import { allPages, commandsOf, isShell } from './pages.js';
import { play } from './play.js';
import { LONG, missing, playPages } from './runs.js';
import { besideHub } from './stage.js';
import { STAGES } from './stages.js';

/** What a line of a shell block begins with, where the block does not say that it is one. */
const LOOKS_LIKE_SHELL =
  /^(?:\$ )?(?:bailing|npm|npx|node|curl|docker|git|export|sqlite3|mariadb|mariadb-dump|mysql|printf|kill|cp|chmod) /m;

describe('The commands of the documentation', function () {
  this.timeout(60_000);
  const pages = allPages();
  const commands = pages.flatMap((page) => page.blocks.filter(isShell).flatMap(commandsOf));

  playPages(pages.filter(({ file }) => !LONG.has(file)));

  it('stand in blocks that say they are shell, so that none is left out', () => {
    const unsaid = pages.flatMap(({ file, blocks }) =>
      blocks.filter(({ language, text }) => language === '' && LOOKS_LIKE_SHELL.test(text)).map(({ line }) => `${file}:${String(line)}`),
    );
    expect(unsaid).to.deep.equal([]);
  });

  it('that are run elsewhere are all there, and stages are of pages that are there', () => {
    const unused = Object.keys(ELSEWHERE).filter((beginning) => !commands.some(({ text }) => text.startsWith(beginning.trim())));
    expect(unused).to.deep.equal([]);
    const files = new Set(pages.map(({ file }) => file));
    expect(Object.keys(STAGES).filter((file) => !files.has(file))).to.deep.equal([]);
  });

  it('would be found out: a wrong status, a wrong answer, a promise not kept', async function () {
    if (missing(['curl']).length > 0) this.skip();
    const stage = await besideHub();
    const shown = (text?: string) => (text === undefined ? [] : [{ line: 9, language: '', text, printed: true }]);
    const faults = async (text: string, says?: string) =>
      (await play({ file: 'x.md', blocks: [{ line: 7, language: 'sh', text, printed: false }, ...shown(says)] }, stage)).join('\n');
    try {
      expect(await faults('echo one; echo two', 'one\ntwo')).to.equal('');
      expect(await faults('echo one', 'two')).to.include('x.md:9: is not what the command before it printed\none');
      expect(await faults('true')).to.equal('');
      expect(await faults('true\nfalse')).to.include('x.md:8: ended with 1, and the page says 0');
      expect(await faults('true # exit 1 where something is')).to.include('x.md:7: ended with 0, and the page says 1');
      expect(await faults('curl -s http://127.0.0.1:18900/health # 200')).to.equal('');
      expect(await faults('curl -s http://127.0.0.1:18900/health # 202')).to.include('answered with 200, and the page says 202');
      expect(await faults('curl -s \\\n  http://127.0.0.1:18900/jobs/none')).to.include(
        'x.md:7: answered with 401, and the page says success',
      );
    } finally {
      await stage.close();
    }
  });
});
