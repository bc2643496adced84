// Writes packages/plugin-api/api-report.md: every declaration that plugin authors can see, so that a change to the only
// semver promise shows up as a diff under review. `--check` compares instead of writing.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const room = path.join(root, 'packages', 'plugin-api');
const report = path.join(room, 'api-report.md');

const HEAD = `# API report of @bailing/plugin-api

Written by \`node scripts/api-report.mjs\` from the built declarations; a test compares it. A diff in this file is a change
of what plugins are compiled against: additions raise the minor version, everything else the major one.
`;

/** The declarations as one Markdown text, the same for the same sources on every machine. */
export async function apiReport() {
  const dist = path.join(room, 'dist');
  const files = (await readdir(dist, { recursive: true }))
    .filter((file) => file.endsWith('.d.ts') && !file.endsWith('.test.d.ts'))
    // A build leaves the output of deleted sources behind.
    .filter((file) => existsSync(path.join(room, 'src', file.replace(/\.d\.ts$/, '.ts'))))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
  if (files.length === 0) throw new Error('packages/plugin-api is not built; run "npm run build" first.');
  const parts = [HEAD];
  for (const file of files) {
    const text = await readFile(path.join(dist, file), 'utf8');
    parts.push(`\n## ${file}\n\n\`\`\`ts\n${text.replace(/^\/\/# sourceMappingURL=.*$/gm, '').trim()}\n\`\`\`\n`);
  }
  const options = await prettier.resolveConfig(report);
  return prettier.format(parts.join(''), { ...options, parser: 'markdown' });
}

/** Whether the report on disk is the one of the built sources. */
export async function reportIsCurrent() {
  const written = await readFile(report, 'utf8').catch(() => '');
  return written === (await apiReport());
}

async function main(check) {
  if (!check) {
    await writeFile(report, await apiReport());
    return 'packages/plugin-api/api-report.md is written.';
  }
  if (await reportIsCurrent()) return 'The API report is current.';
  process.exitCode = 1;
  return 'The API of plugin-api changed. Run "node scripts/api-report.mjs", read the diff of packages/plugin-api/api-report.md and commit it.';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await main(process.argv.includes('--check'))}\n`);
