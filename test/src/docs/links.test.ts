import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { root } from '../support/root.js';

const SKIP = new Set(['node_modules', 'dist', '.git', '.reports']);

function pagesUnder(folder: string): readonly string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIP.has(entry.name) ? [] : pagesUnder(name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}

const textOf = (file: string) => fs.readFileSync(path.join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** Anchors of headings as repositories show them: lower case, marks gone, spaces as dashes. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...textOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  const written = [...textOf(file).matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  const plain = headings.map((heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase());
  return new Set([
    ...plain.map((text) =>
      text
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
    ...written,
  ]);
}

function brokenIn(file: string): readonly string[] {
  const links = [
    ...textOf(file)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link = '']) => link);
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [name = '', anchor] = link.split('#');
    const target = name === '' ? file : path.join(path.dirname(file), decodeURIComponent(name));
    if (!fs.existsSync(path.join(root, target))) return [`${file}: there is no ${link}`];
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
      ? [`${file}: ${name} has no heading #${anchor}`]
      : [];
  });
}

describe('The links between pages', () => {
  const pages = pagesUnder('.');

  it('lead to files and headings that are there', () => {
    expect(pages.length).to.be.greaterThan(50);
    expect(pages.flatMap(brokenIn)).to.deep.equal([]);
  });

  it('reach every page of docs/ from its index, but for what an example reads as its data', () => {
    const seen = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, link = ''] of textOf(file).matchAll(/\]\(([^)#\s]+\.md)/g))
        if (!/^[a-z]+:/.test(link)) follow(path.join(path.dirname(file), link));
    };
    follow('docs/README.md');
    expect(pages.filter((file) => /^docs\/(?!examples\/.*\/pages\/)/.test(file) && !seen.has(file))).to.deep.equal([]);
  });
});
