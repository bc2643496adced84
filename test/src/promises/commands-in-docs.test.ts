import fs from 'node:fs';
import path from 'node:path';
import { bailingProgram } from '@bailing/app';
import { expect } from 'chai';
import { root } from '../support/root.js';

interface Use {
  readonly at: string;
  readonly words: readonly string[];
}

type Command = ReturnType<typeof bailingProgram>;

const pages = [
  'README.md',
  ...fs.readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => path.join('docs', name)),
].filter((file) => file.endsWith('.md') && !file.includes('node_modules'));

/** `bailing …` at the start of a line of a code block, and in `code` of the text; a line that ends with \ goes on. */
function usesOf(file: string): readonly Use[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8').replace(/\\\n\s*/g, '');
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].flatMap((line) => {
    const found = /^(?:npm run (?:--silent )?bailing --|bailing) ([a-z].*)$/.exec(line.trim());
    const command = (found?.[1] ?? '').split(/ (?:#|&&|\|)|[;&]/)[0] ?? '';
    return found ? [{ at: `${file}: bailing ${command}`, words: shellWords(command) }] : [];
  });
}

/** Words as a shell parts them, quotes taken off. */
function shellWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

/** What of a use the command does not know. */
function unknownOf({ at, words }: Use): readonly string[] {
  let command: Command = bailingProgram();
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (!next) break;
    command = next;
    rest = rest.slice(1);
  }
  const choices = command.commands.length > 0 && !/^[…[<{]/.test(rest[0] ?? '…') ? (rest[0] ?? '').split('|') : [];
  const missing = choices.filter((choice) => !command.commands.some((one) => one.name() === choice));
  if (missing.length > 0) return [`${at}: there is no command ${missing.join(', ')}`];
  const known = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  const flags = rest.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? '');
  return flags.filter((flag) => !known.has(flag)).map((flag) => `${at}: there is no option ${flag}`);
}

describe('The commands in the documentation', () => {
  const uses = pages.flatMap(usesOf);

  it('exist, with every option they are shown with', () => {
    expect(uses.length).to.be.greaterThan(40);
    expect(uses.flatMap(unknownOf)).to.deep.equal([]);
  });

  it('would be found out where they do not', () => {
    const wrong = ['nonsense', 'audit nonsense', 'audit verify --nonsense'].map((text) => ({ at: 'x', words: shellWords(text) }));
    expect(wrong.map((use) => unknownOf(use).length)).to.deep.equal([1, 1, 1]);
  });
});
