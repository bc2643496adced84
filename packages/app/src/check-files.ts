import { combine, misfitText, type Misfit } from '@bailing/hub';
import { errorCatalogue } from '@bailing/plugin-api';
import { objectKinds, readObject, type BailingConfig, type KeptObject, type ObjectFiles } from '@bailing/resources';
import { readObjects } from './object-files.js';
import { CommandFailure } from './out.js';

/** A configuration and files of objects as a hub would have them together. @throws CommandFailure with file, line and what to do */
export function checkFiles(config: BailingConfig, places: readonly string[]): BailingConfig {
  const files = readObjects(places);
  const problems: string[] = [];
  const kept: KeptObject[] = [];
  const paths = new Map<string, string>();
  for (const kind of objectKinds) {
    (files.objects[kind.member] ?? []).forEach((raw, index) => {
      const at = `${kind.member}[${String(index)}]`;
      const reading = readObject(kind, raw);
      if (!reading.ok)
        problems.push(...reading.problems.map(({ code, path, says }) => row(files, [at, path].filter(Boolean).join('.'), says, code)));
      else {
        const name = String(reading.value[kind.key]);
        paths.set(`${kind.member}/${name}`, at);
        kept.push({ member: kind.member, name, value: reading.value });
      }
    });
  }
  const { config: whole, misfits } = combine(config, kept);
  // Where an object could not be read, what refers to it is no news.
  if (problems.length === 0) problems.push(...misfits.map((misfit) => misfitRow(misfit, files, paths)));
  if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
  return whole;
}

function misfitRow(misfit: Misfit, files: ObjectFiles, paths: ReadonlyMap<string, string>): string {
  const at = paths.get(`${misfit.member}/${String(misfit.name)}`);
  const { fix } = errorCatalogue.BAILING_CONFIG_INVALID;
  return at === undefined
    ? `BAILING_CONFIG_INVALID ${misfitText(misfit)} ${fix}`
    : row(files, [at, misfit.path].filter(Boolean).join('.'), misfit.says);
}

function row(files: ObjectFiles, at: string, says: string, code: keyof typeof errorCatalogue = 'BAILING_CONFIG_INVALID'): string {
  const { file, line, column } = files.placeOf(at);
  return `${file}:${String(line)}:${String(column)} ${code} ${at}: ${says} ${errorCatalogue[code].fix}`;
}
