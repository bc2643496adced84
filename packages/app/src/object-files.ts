import fs from 'node:fs';
import path from 'node:path';
import { readObjectFiles, type ObjectFile, type ObjectFiles } from '@bailing/resources';
import { MAX_FILE_BYTES, readBounded } from './bounded-file.js';
import type { WrongObjects } from './config-door.js';
import { CommandFailure } from './out.js';

const YAML = /\.(ya?ml|json)$/;
const MAX_FILES = 1_000;

/** Files of objects: one file, or every `.yaml`, `.yml` and `.json` of a folder and the folders in it, by name. @throws CommandFailure */
export function readObjects(places: readonly string[], env: NodeJS.ProcessEnv = process.env): ObjectFiles {
  const names = places.flatMap(namesOf);
  if (names.length > MAX_FILES) throw new CommandFailure(`There are more than ${String(MAX_FILES)} files.`);
  const bytes = names.reduce((sum, name) => sum + fs.statSync(name).size, 0);
  if (bytes > MAX_FILE_BYTES)
    throw new CommandFailure(`${places.join(', ')} is larger than 64 MiB together. Split it, and apply one part after the other.`);
  const files = names.filter((name) => places.includes(name) || !isDocument(name)).map(fileOf);
  if (files.length === 0) throw new CommandFailure(`There is no .yaml, .yml or .json file in ${places.join(', ')}.`);
  const read = readObjectFiles(files, env);
  if (read.problems.length === 0) return read;
  throw new CommandFailure(
    read.problems
      .map(
        ({ file, line, column, code, path: at, says, fix }) =>
          `${file}:${String(line)}:${String(column)} ${code} ${at === '' ? '' : `${at}: `}${says} ${fix}`,
      )
      .join('\n'),
  );
}

function namesOf(place: string): readonly string[] {
  let stat: fs.Stats;
  try {
    stat = fs.statSync(place);
  } catch {
    throw new CommandFailure(`There is nothing at ${place}.`);
  }
  if (stat.isFile()) return [place];
  // A device or a pipe may never end.
  if (!stat.isDirectory()) throw new CommandFailure(`${place} is neither a file nor a folder. Write what it holds into a file first.`);
  const names = fs.readdirSync(place, { recursive: true, encoding: 'utf8' });
  // A document beside the objects is named by them and is none itself.
  const inside = names.filter((name) => YAML.test(name) && !name.split(path.sep).some((part) => part.startsWith('.'))).sort();
  return inside.map((name) => path.join(place, name)).filter((name) => fs.statSync(name).isFile());
}

/** OpenAPI documents and overlays say so in their first member. */
function isDocument(file: string): boolean {
  return /^\s*(?:\{\s*)?["']?(?:openapi|overlay|swagger)["']?\s*:/m.test(fs.readFileSync(file, 'utf8').slice(0, 4_096));
}

function fileOf(name: string): ObjectFile {
  const folder = path.dirname(name);
  return { name, text: readBounded(name), readFile: (named) => readBounded(path.resolve(folder, named)) };
}

/** What a hub found wrong, where it stands in the files. */
export function placed(wrong: WrongObjects, files: ObjectFiles): CommandFailure {
  return new CommandFailure(
    wrong.problems
      .map(({ at, says }) => {
        const { file, line, column } = files.placeOf(at);
        return `${file}:${String(line)}:${String(column)} BAILING_OBJECT_INVALID ${at}: ${says}`;
      })
      .join('\n'),
  );
}
