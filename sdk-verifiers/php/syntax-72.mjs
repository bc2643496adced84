/**
 * Holds the verifier core to PHP 7.2: `node sdk-verifiers/php/syntax-72.mjs`.
 * First it proves itself on samples, then it reads every core file; exit 1 on any finding.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { newerThan72 } from './syntax/rules.mjs';
import { NEWER, OLD } from './syntax/samples.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const wrong = [];
for (const [name, code] of Object.entries(NEWER)) {
  if (newerThan72(`<?php\n${code}\n`).length === 0) wrong.push(`self-test: "${name}" passed although it is newer than 7.2`);
}
for (const [name, code] of Object.entries(OLD)) {
  for (const says of newerThan72(`<?php\n${code}\n`)) wrong.push(`self-test: "${name}" is 7.2 but was refused: ${says}`);
}

const phpIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.php'))
    .sort()
    .map((name) => join(folder, name));
const files = [
  ...phpIn(here),
  ...phpIn(join(here, 'src')),
  ...phpIn(join(here, 'tests')).filter((file) => !file.includes('php8')),
  join(here, '../../docs/examples/bailing-tool-verify.php'),
];
for (const file of files) {
  for (const says of newerThan72(readFileSync(file, 'utf8'))) wrong.push(`${relative(here, file)} ${says}`);
}
if (files.filter((file) => dirname(file).endsWith('src')).length < 10)
  wrong.push('fewer than ten core files were found: the check looks in the wrong place');

for (const line of wrong) process.stderr.write(`${line}\n`);
const samples = Object.keys(NEWER).length + Object.keys(OLD).length;
process.stdout.write(`php 7.2 syntax: ${files.length} files, ${samples} samples, ${wrong.length} findings\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;
