import fs from 'node:fs/promises';
import path from 'node:path';
import { definePlugin, points } from '@bailing/plugin-api';

export default definePlugin({
  id: 'context-help-pages',
  config: {
    type: 'object',
    required: ['folder'],
    properties: {
      folder: { type: 'string', minLength: 1 },
      routes: { type: 'array', items: { type: 'string' } },
      best: { type: 'integer', minimum: 1, maximum: 8, default: 3 },
    },
  },
  setup: async ({ config }) => ({ sections: await readFolder(path.resolve(config.folder)) }),
  provides: (add) => [
    add(points.context, 'help-pages', ({ config, own }) => ({
      blocks({ job, input, metadata }) {
        if (config.routes && !config.routes.includes(job.route)) return [];
        const asked = wordsOf(input);
        const found = own.sections
          .map((section) => ({ ...section, score: asked.filter((word) => section.words.has(word)).length }))
          .filter(({ score }) => score > 1)
          .sort((a, b) => b.score - a.score);
        return [...pageOf(metadata), ...found.slice(0, config.best).map(({ label, text }) => ({ label, text }))];
      },
    })),
  ],
});

/** The page a user looks at, as the website sends it in the metadata of the job. */
function pageOf({ page }) {
  return typeof page?.title === 'string' ? [{ label: 'The page the user looks at', text: `${page.title}\n${page.url ?? ''}` }] : [];
}

/** Every section of every Markdown file: what stands below a heading. Read once, when the hub starts. */
async function readFolder(folder) {
  const files = (await fs.readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(files.map((name) => fs.readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split(/^(?=#{1,3} )/m)).map(sectionOf);
}

function sectionOf(text) {
  const [first = '', ...rest] = text.trim().split('\n');
  return { label: first.replace(/^#+ /, ''), text: rest.join('\n').trim(), words: new Set(wordsOf(text)) };
}

/** Words of four letters and more, and pairs of Chinese characters. */
function wordsOf(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}|\p{sc=Han}{2,}/gu) ?? [];
  const parts = words.flatMap((word) => (/\p{sc=Han}/u.test(word) ? [...word].slice(1).map((one, at) => [...word][at] + one) : [word]));
  return [...new Set(parts)];
}
