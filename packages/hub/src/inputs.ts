import { Readers, type InputDeps } from '@bailing/engine';
import type { Contributed } from '@bailing/kernel';
import { createDownloads, createHostRules } from '@bailing/outbound';
import type { Clock, InputHandler, Log } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { Brains } from './brains.js';

/**
 * How this hub reads what users link to. Addresses come from users: they reach a private host only where `hub.allow_private_hosts` lists it, not those that
 * providers and credentials name.
 * @throws BailingError BAILING_INPUT_AMBIGUOUS where two plugins read one media type
 */
export function openInputs(
  { hub, inputs: choices }: BailingConfig,
  handlers: readonly Contributed<InputHandler>[],
  credential: Brains['credential'],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): { readonly deps: InputDeps; close(): Promise<void> } {
  const readers = new Readers(
    handlers.map(({ plugin, value }) => ({ plugin, handler: value })),
    choices,
  );
  const downloads = createDownloads(createHostRules({ allowPrivateHosts: hub.allow_private_hosts }));
  return {
    deps: { readers, downloads, credential, clock, log },
    close: () => Promise.resolve(downloads.close()),
  };
}
