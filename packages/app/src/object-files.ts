import fs from 'node:fs';
import path from 'node:path';
import { readObjectFiles, type ObjectFile, type ObjectFiles } from '@bailing/resources';
import type { WrongObjects } from './config-door.js';
import { CommandFailure } from './out.js';

const YAML = /\.(ya?ml|json)$/;
const MAX_FILES = 1_000;

/** Files of objects: one file, or every `.yaml`, `.yml` and `.json` of a folder and the folders in it, by name. @throws CommandFailure */
export function readObjects(places: readonly string[], env: NodeJS.ProcessEnv = process.env): ObjectFiles {
  const files = places.flatMap(filesOf);
  if (files.length === 0) throw new CommandFailure(`There is no .yaml, .yml or .json file in ${places.join(', ')}.`);
  if (files.length > MAX_FILES) throw new CommandFailure(`There are more than ${String(MAX_FILES)} files.`);
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

function filesOf(place: string): readonly ObjectFile[] {
  let isFolder: boolean;
  try {
    isFolder = fs.statSync(place).isDirectory();
  } catch {
    throw new CommandFailure(`There is nothing at ${place}.`);
  }
  if (!isFolder) return [fileOf(place)];
  const names = fs.readdirSync(place, { recursive: true, encoding: 'utf8' });
  // A document beside the objects is named by them and is none itself.
  const inside = names.filter((name) => YAML.test(name) && !name.split(path.sep).some((part) => part.startsWith('.'))).sort();
  return inside
    .map((name) => path.join(place, name))
    .filter((name) => fs.statSync(name).isFile() && !isDocument(name))
    .map(fileOf);
}

/** OpenAPI documents and overlays say so in their first member. */
function isDocument(file: string): boolean {
  return /^\s*(?:\{\s*)?["']?(?:openapi|overlay|swagger)["']?\s*:/m.test(fs.readFileSync(file, 'utf8').slice(0, 4_096));
}

function fileOf(name: string): ObjectFile {
  const folder = path.dirname(name);
  return { name, text: fs.readFileSync(name, 'utf8'), readFile: (named) => fs.readFileSync(path.resolve(folder, named), 'utf8') };
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
