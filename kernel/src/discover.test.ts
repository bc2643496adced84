import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { definePlugin, points } from '@bailing/plugin-api';
import { expect } from 'chai';
import { createKernel, discover } from './index.js';

const API = path.dirname(path.dirname(fileURLToPath(import.meta.resolve('@bailing/plugin-api'))));

function source(id: string, exported = 'export default'): string {
  return `import { definePlugin } from '@bailing/plugin-api';\n${exported} definePlugin({ id: '${id}' });\n`;
}

describe('discovery', () => {
  let cwd: string;

  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(cwd, file)), { recursive: true });
    await writeFile(path.join(cwd, file), text);
  };
  /** `id from` of each plugin, `code plugin at: says` of each problem, without the folder of this test. */
  const look = async (...entries: unknown[]): Promise<string[]> => {
    const { plugins, problems } = await discover(entries, { cwd, builtins: { 'gate-built': definePlugin({ id: 'gate-built' }) } });
    return [
      ...plugins.map(({ plugin, from }) => `${plugin.id} ${from}`),
      ...problems.map(({ code, plugin, at, says }) => `${code} ${plugin} ${at}: ${says}`.replaceAll(cwd, '<cwd>')),
    ];
  };

  before(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'bailing-discover-'));
    await mkdir(path.join(cwd, 'node_modules', '@bailing'), { recursive: true });
    await symlink(API, path.join(cwd, 'node_modules', '@bailing', 'plugin-api'));
  });
  after(() => rm(cwd, { recursive: true, force: true }));

  it('finds built-ins by id, also those that load only when named', async () => {
    expect(await look('gate-built')).to.deep.equal(['gate-built built-in']);
    let loaded = 0;
    const lazy = () => (loaded++, Promise.resolve({ lazyPlugin: definePlugin({ id: 'lazy' }) }));
    expect((await discover(['gate-lazy'], { cwd, builtins: { 'gate-lazy': lazy, other: lazy } })).plugins[0]?.plugin.id).to.equal('lazy');
    expect(loaded).to.equal(1);
  });

  it('finds local plugins: a file, a file without its ending, a folder with an index, a folder with a package.json', async () => {
    await put('one.mjs', source('file-one'));
    await put('two/index.mjs', source('folder-two', 'export const twoPlugin ='));
    await put('three/package.json', '{ "type": "module", "exports": { ".": { "types": "./x.d.ts", "import": "./lib/main.js" } } }');
    await put('three/lib/main.js', source('package-three'));
    await put('four/package.json', '{ "main": "main.cjs" }');
    await put(
      'four/main.cjs',
      `const { definePlugin } = require('@bailing/plugin-api');\nexports.fourPlugin = definePlugin({ id: 'common-four' });\n`,
    );
    const found = await look('./one.mjs', './two', './two/../three', pathToFileURL(path.join(cwd, 'two')).href, path.join(cwd, 'one'));
    expect(found.map((line) => line.split(' ')[0])).to.deep.equal(['file-one', 'folder-two', 'package-three', 'folder-two', 'file-one']);
    expect(await look('./four')).to.deep.equal(['common-four ./four']);
  });

  it('finds installed packages from the folder of the configuration upwards, also those that only serve imports', async () => {
    await put('node_modules/@acme/gate-x/package.json', '{ "type": "module", "exports": { "import": "./index.js" } }');
    await put('node_modules/@acme/gate-x/index.js', source('gate-x'));
    await mkdir(path.join(cwd, 'deep', 'er'), { recursive: true });
    const { plugins } = await discover(['@acme/gate-x'], { cwd: path.join(cwd, 'deep', 'er') });
    expect(plugins.map(({ plugin, from }) => [plugin.id, from])).to.deep.equal([['gate-x', '@acme/gate-x']]);
  });

  it('takes a plugin itself, for embedding, and keeps what the entry says', async () => {
    const plugin = definePlugin({ id: 'embedded-one' });
    const { plugins } = await discover([plugin, { use: plugin, optional: true, init_timeout_ms: 5, config: { a: 1 } }], { cwd });
    expect(plugins[0]).to.deep.include({ plugin, from: 'embedded', at: 'plugins[0]', optional: false });
    expect(plugins[1]).to.deep.include({ at: 'plugins[1]', optional: true, initTimeoutMs: 5, config: { a: 1 } });
  });

  it('takes one plugin exported twice for one, and says so where there are two or none', async () => {
    await put('same.mjs', `${source('same', 'export const samePlugin =')}export default samePlugin;\n`);
    await put('pair.mjs', `${source('first', 'export const a =')}${source('second', 'export const b =').split('\n')[1]}\n`);
    await put('none.mjs', 'export const gate = { judge() {} };\n');
    await put('empty.mjs', '');
    expect(await look('./same')).to.deep.equal(['same ./same']);
    expect(await look('./pair', './none', './empty')).to.deep.equal([
      'BAILING_PLUGIN_NOT_A_PLUGIN ./pair plugins[0]: It exports 2 plugins (first, second) where exactly one is expected.',
      'BAILING_PLUGIN_NOT_A_PLUGIN ./none plugins[1]: It exports gate, but no value made by definePlugin.',
      'BAILING_PLUGIN_NOT_A_PLUGIN ./empty plugins[2]: It exports nothing, but no value made by definePlugin.',
    ]);
  });

  it('says what is wrong with everything it cannot load, all at once, and loads the rest', async () => {
    await put('good.mjs', source('good'));
    await put('throws.mjs', `throw new Error('no license');\n`);
    await put('missing.mjs', `import 'not-installed-anywhere';\n`);
    await put('typed.ts', 'export {};\n');
    await put('bare/readme.md', '');
    await put('unbuilt/package.json', '{ "main": "./dist/index.js" }');
    await put('broken/package.json', '{');
    await put('closed/package.json', '{ "exports": { "./sub": "./sub.js" } }');
    await put('bad-id.mjs', source('Bad Id'));
    const lines = await look(
      './good',
      './throws',
      './missing',
      './typed.ts',
      './bare',
      './unbuilt',
      './broken',
      './closed',
      './nowhere',
      'not-a-package-here',
      'Not A Name',
      './bad-id',
    );
    const expected = [
      /^good \.\/good$/,
      /^BAILING_PLUGIN_UNRESOLVED \.\/throws plugins\[1\]: It cannot be loaded: no license$/,
      /Cannot find package 'not-installed-anywhere'/,
      /<cwd>\/typed\.ts is TypeScript, which this process does not run\.$/,
      /The folder <cwd>\/bare has no index\.mjs, no index\.js and no package\.json\.$/,
      /<cwd>\/unbuilt names \.\/dist\/index\.js as its module, and that is not there\.$/,
      /<cwd>\/broken\/package\.json is not valid JSON\.$/,
      /<cwd>\/closed\/package\.json exports nothing for an import of "\."\.$/,
      /There is nothing at <cwd>\/nowhere\.$/,
      /There is no built-in plugin and no installed package not-a-package-here\.$/,
      /"Not A Name" is not a package name\.$/,
      /a plugin id looks like "gate-office-hours", not "Bad Id"$/,
    ];
    expect(lines).to.have.length(expected.length);
    expected.forEach((pattern, index) => expect(lines[index]).to.match(pattern));
  });

  it('refuses entries it does not understand, by name', async () => {
    const lines = await look(
      7,
      null,
      '',
      {},
      { use: './x', options: {} },
      { use: './x', optional: 'yes' },
      { use: './x', init_timeout_ms: 0 },
      { use: null },
      ['x'],
    );
    expect(lines).to.have.length(9);
    for (const [index, line] of lines.entries())
      expect(line).to.match(new RegExp(`^BAILING_CONFIG_INVALID plugins\\[${index}\\] : .*\\.$`));
    expect(lines[4]).to.contain('no field "options"');
  });

  it('names the built-ins where a name is unknown', async () => {
    const { problems } = await discover(['gate-bulit'], { cwd, builtins: { 'gate-built': definePlugin({ id: 'gate-built' }) } });
    expect(problems[0]?.fix).to.contain('Built-in plugins are gate-built.');
  });

  it('lets an optional plugin be missing, and no other', async () => {
    const { plugins, problems } = await discover([{ use: './nowhere', optional: true }, './nowhere'], { cwd });
    expect(problems.map(({ fatal }) => fatal)).to.deep.equal([false, true]);
    const kernel = createKernel({ plugins, problems: problems.slice(0, 1), env: {} });
    await kernel.init();
    expect(kernel.contributions(points.gate)).to.deep.equal([]);
    expect((await kernel.tree()).problems).to.have.length(1);
  });
});
