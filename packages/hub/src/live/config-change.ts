import { line } from '@bailing/engine';
import type { Line } from '@bailing/engine/ports';
import type { WriteCause } from '@bailing/http';

/** WIRE §15.2: who, through which door, which object and which fields; never what was in them. */
export function configChange({ by, method, path }: WriteCause, at: number, detail: Readonly<Record<string, unknown>>): Line {
  return line('config_change', { job: '-', requestId: 'config' }, at, { by: by.name, method, path, ...detail });
}
