import { discover } from '@bailing/kernel';
import type { Plugin } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import { ALWAYS, BUILTINS } from './builtins.js';

/** Plugins of a configuration and those that always run, as far as they can be loaded. Nothing of them runs. */
export async function pluginsOf({ plugins }: BailingConfig, cwd: string): Promise<readonly Plugin[]> {
  const always = ALWAYS.filter((id) => !plugins.some(({ use }) => use === id));
  const found = await discover([...always, ...plugins], { cwd, builtins: BUILTINS });
  return found.plugins.map(({ plugin }) => plugin);
}
