import { errorCatalogue, type ErrorCode } from '@bailing/plugin-api';
import type { ReadFile } from '../objects/fill.js';
import { objectKinds, type ObjectMember } from '../objects/kinds.js';
import type { ConfigProblem } from '../read-config.js';
import { configSchema } from '../schemas/config.js';
import { resolveEnvironment } from '../text/environment.js';
import { readYaml, type YamlText } from '../text/yaml-text.js';

export interface ObjectFile {
  readonly name: string;
  readonly text: string;
  /** Reads what the file names beside itself. */
  readonly readFile: ReadFile;
}

/** A problem and the file it is in. */
export interface FileProblem extends ConfigProblem {
  readonly file: string;
}

export type Objects = Readonly<Partial<Record<ObjectMember, readonly unknown[]>>>;

/** Objects of several files as one set. */
export interface ObjectFiles {
  readonly objects: Objects;
  readonly problems: readonly FileProblem[];
  /** Where a path into the set (`clients[3].token`) stands. */
  placeOf(path: string): { readonly file: string; readonly line: number; readonly column: number };
}

interface Origin {
  readonly file: string;
  readonly text: YamlText;
  readonly path: string;
}

/** Members of `bailing.yaml`. */
const IN_FILE: ReadonlySet<string> = new Set(Object.keys((configSchema as { readonly properties: object }).properties));
const ELSEWHERE = 'Every .yaml, .yml and .json file of a folder is read as one: keep documents of another kind outside it.';
const LISTS: ReadonlySet<string> = new Set(objectKinds.map(({ member }) => member));

/** Reads files of `bailing apply`: the object lists of `bailing.yaml`, in as many files as one likes. Checks their form, not their objects. */
export function readObjectFiles(files: readonly ObjectFile[], env: Readonly<Record<string, string | undefined>>): ObjectFiles {
  const lists = new Map<ObjectMember, unknown[]>();
  const origins = new Map<string, Origin>();
  const problems: FileProblem[] = [];
  for (const file of files) {
    const read = readYaml(file.text);
    if (!read.ok) {
      problems.push(
        ...read.problems.map(({ says, ...at }) => ({ ...at, ...told('BAILING_CONFIG_UNREADABLE', '', says), file: file.name })),
      );
      continue;
    }
    const { text } = read;
    const wrong = (code: ErrorCode, path: string, says: string) =>
      problems.push({ ...told(code, path, says), ...text.placeOf(path), file: file.name });
    for (const { path, name } of resolveEnvironment(text, env))
      wrong('BAILING_CONFIG_SECRET_MISSING', path, `The environment variable ${name} is not set.`);
    const value = text.current() ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      wrong('BAILING_CONFIG_INVALID', '', `It must hold lists of objects, such as clients and routes. ${ELSEWHERE}`);
      continue;
    }
    const members = Object.keys(value);
    if (members.length > 0 && !members.some((member) => IN_FILE.has(member))) {
      wrong('BAILING_CONFIG_INVALID', '', `It holds none of the lists that are applied (${[...LISTS].join(', ')}). ${ELSEWHERE}`);
      continue;
    }
    for (const [member, list] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      if (!LISTS.has(member))
        wrong(
          'BAILING_CONFIG_INVALID',
          member,
          `Only objects are applied (${[...LISTS].join(', ')}); ${IN_FILE.has(member) ? `keep ${member} in bailing.yaml` : `${member} is none of these lists`}.`,
        );
      else if (!Array.isArray(list)) wrong('BAILING_CONFIG_INVALID', member, 'It must be a list.');
      else take(member as ObjectMember, list, { file, text, lists, origins, wrong });
    }
  }
  return { objects: Object.fromEntries(lists), problems, placeOf: (path) => place(path, origins, files[0]?.name ?? '') };
}

interface Taking {
  readonly file: ObjectFile;
  readonly text: YamlText;
  readonly lists: Map<ObjectMember, unknown[]>;
  readonly origins: Map<string, Origin>;
  readonly wrong: (code: ErrorCode, path: string, says: string) => void;
}

function take(member: ObjectMember, list: readonly unknown[], { file, text, lists, origins, wrong }: Taking): void {
  const whole = lists.get(member) ?? [];
  lists.set(member, whole);
  list.forEach((object, index) => {
    const path = `${member}[${String(index)}]`;
    origins.set(`${member}[${String(whole.length)}]`, { file: file.name, text, path });
    whole.push(member === 'tool_providers' ? withDocuments(object, path, file.readFile, wrong) : object);
  });
}

/** Documents beside the file travel inside their object. */
function withDocuments(object: unknown, path: string, readFile: ReadFile, wrong: Taking['wrong']): unknown {
  if (object === null || typeof object !== 'object') return object;
  let whole = object as Readonly<Record<string, unknown>>;
  for (const [fileMember, member] of [
    ['spec_file', 'spec_json'],
    ['overlay_file', 'overlay'],
  ] as const) {
    const { [fileMember]: named, ...rest } = whole;
    if (typeof named !== 'string') continue;
    if (rest[member] !== undefined) wrong('BAILING_CONFIG_INVALID', `${path}.${fileMember}`, `Give ${member} or ${fileMember}, not both.`);
    try {
      whole = { ...rest, [member]: readFile(named) };
    } catch {
      wrong('BAILING_CONFIG_INVALID', `${path}.${fileMember}`, 'This file cannot be read.');
      whole = { ...rest, [member]: '{}' };
    }
  }
  return whole;
}

function place(path: string, origins: ReadonlyMap<string, Origin>, first: string): { file: string; line: number; column: number } {
  const [head = ''] = /^[a-z_]+\[\d+\]/.exec(path) ?? [];
  const origin = origins.get(head);
  if (!origin) return { file: first, line: 1, column: 1 };
  return { file: origin.file, ...origin.text.placeOf(origin.path + path.slice(head.length)) };
}

function told(code: ErrorCode, path: string, says: string) {
  return { code, path, says, fix: errorCatalogue[code].fix };
}
