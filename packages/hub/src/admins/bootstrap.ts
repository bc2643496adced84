import type { ObjectsApi } from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';
import type { LiveConfig } from '../live/live-config.js';

/**
 * The first administrator, from BAILING_BOOTSTRAP_ADMIN_USERNAME and BAILING_BOOTSTRAP_ADMIN_PASSWORD (WIRE §18): made only where there is none.
 * @throws BailingError BAILING_CONFIG_INVALID where one of the two is missing; InvalidObject
 */
export async function bootstrapAdmin(
  live: LiveConfig,
  objects: ObjectsApi,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { BAILING_BOOTSTRAP_ADMIN_USERNAME: username = '', BAILING_BOOTSTRAP_ADMIN_PASSWORD: password = '' } = env;
  if (username === '' && password === '') return;
  if (username === '' || password === '')
    throw new BailingError('BAILING_CONFIG_INVALID', {
      detail: 'Set BAILING_BOOTSTRAP_ADMIN_USERNAME and BAILING_BOOTSTRAP_ADMIN_PASSWORD together, or none of them.',
    });
  if (live.config.admins.length > 0) return;
  const cause = { by: { kind: 'admin', name: 'bootstrap' }, method: 'START', path: 'BAILING_BOOTSTRAP_ADMIN_USERNAME' } as const;
  await objects.save('admins', null, { username, password, role: 'admin' }, { create: true }, cause).catch((error: unknown) => {
    // Another hub of the same start was faster.
    if (!(error instanceof BailingError && error.code === 'BAILING_OBJECT_EXISTS')) throw error;
  });
}
