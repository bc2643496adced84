import { pathToFileURL } from 'node:url';
import type { Plugin } from '@bailing/plugin-api';
import { readEntry, type FoundPlugin, type PluginEntryObject } from './entry.js';
import { findFile, isPath } from './find-file.js';
import { findPackage } from './find-package.js';
import { pickPlugin } from './pick-plugin.js';
import { bootProblem, reasonOf, type BootProblem } from './problem.js';

/** Built-ins by id, loaded only when named. */
export type BuiltIns = Readonly<Record<string, Plugin | (() => Promise<unknown>)>>;

export interface DiscoverOptions {
  /** Folder of the configuration file: paths and packages are looked for from there. */
  readonly cwd: string;
  readonly builtins?: BuiltIns;
}

export interface Discovery {
  readonly plugins: readonly FoundPlugin[];
  readonly problems: readonly BootProblem[];
}

const MAX_ENTRIES = 500;

/** Loads the plugins of a configuration. Every problem is collected; nothing is thrown and no factory runs. */
export async function discover(entries: readonly unknown[], options: DiscoverOptions): Promise<Discovery> {
  const plugins: FoundPlugin[] = [];
  const problems: BootProblem[] = [];
  for (const [index, entry] of entries.slice(0, MAX_ENTRIES).entries()) {
    const at = `plugins[${index}]`;
    const read = readEntry(entry);
    if (typeof read === 'string') {
      problems.push(bootProblem('BAILING_CONFIG_INVALID', { plugin: at, detail: read, fix: 'Correct the entry under plugins.' }));
      continue;
    }
    const found = await load(read, at, options);
    if ('code' in found) problems.push(found);
    else plugins.push(found);
  }
  if (entries.length > MAX_ENTRIES) {
    problems.push(bootProblem('BAILING_CONFIG_INVALID', { plugin: 'plugins', detail: `There are more than ${MAX_ENTRIES} plugins.` }));
  }
  return { plugins, problems };
}

async function load(entry: PluginEntryObject, at: string, options: DiscoverOptions): Promise<FoundPlugin | BootProblem> {
  const { use, config, optional = false, init_timeout_ms: ms } = entry;
  const name = typeof use === 'string' ? use : 'embedded';
  const place = await locate(use, options);
  if ('refused' in place)
    return bootProblem('BAILING_PLUGIN_UNRESOLVED', { plugin: name, at, detail: place.refused, fix: place.fix, optional });
  let exported: unknown;
  try {
    exported = await place.load();
  } catch (error) {
    const fix = 'Run it with node on its own to see the error; install what it imports next to it.';
    return bootProblem('BAILING_PLUGIN_UNRESOLVED', { plugin: name, at, detail: `It cannot be loaded: ${reasonOf(error)}`, fix, optional });
  }
  const picked = pickPlugin(exported);
  if (typeof picked === 'string') return bootProblem('BAILING_PLUGIN_NOT_A_PLUGIN', { plugin: name, at, detail: picked, optional });
  return { plugin: picked, from: place.from, at, config, optional, ...(ms !== undefined && { initTimeoutMs: ms }) };
}

type Located = { readonly from: string; readonly load: () => Promise<unknown> } | { readonly refused: string; readonly fix: string };

async function locate(use: string | Plugin, { cwd, builtins = {} }: DiscoverOptions): Promise<Located> {
  if (typeof use !== 'string') return { from: 'embedded', load: () => Promise.resolve(use) };
  if (Object.hasOwn(builtins, use)) return { from: 'built-in', load: () => loadBuiltIn(builtins[use]) };
  const file = isPath(use) ? await findFile(use, cwd) : await findPackage(use, cwd);
  if ('refused' in file) {
    const known = Object.keys(builtins).sort().join(', ');
    return { refused: file.refused, fix: isPath(use) || known === '' ? file.fix : `${file.fix} Built-in plugins are ${known}.` };
  }
  return { from: use, load: () => import(pathToFileURL(file.path).href) as Promise<unknown> };
}

function loadBuiltIn(builtin: BuiltIns[string] | undefined): Promise<unknown> {
  return typeof builtin === 'function' ? builtin() : Promise.resolve(builtin);
}
