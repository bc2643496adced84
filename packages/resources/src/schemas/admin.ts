import { flag, object, secret, text } from './words.js';

/** WIRE §1.5: roles and what they may do. `*` is everything. */
export const ROLES: Readonly<Record<string, readonly string[]>> = Object.freeze({
  admin: ['*'],
  kb_editor: ['kb:read', 'kb:write'],
  viewer: ['runs:read'],
});

/** WIRE §18 Admin. A password is stored as its hash only; in the file it may be given as either. */
export const adminSchema = object(
  {
    username: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$' },
    role: { type: 'string', enum: Object.keys(ROLES) },
    password: secret(8, 256),
    password_hash: { ...(secret(20, 512) as object), pattern: '^(s1\\$|s2\\$\\d{2},\\d{1,2},\\d{1,2}\\$)[0-9a-f]+\\$[0-9a-f]+$' },
    display_name: text(128),
    enabled: flag(true),
  },
  ['username', 'role'],
);

export interface AdminResource {
  readonly username: string;
  readonly role: 'admin' | 'kb_editor' | 'viewer';
  /** Only in the configuration file. */
  readonly password?: string;
  readonly password_hash?: string;
  readonly display_name?: string;
  readonly enabled: boolean;
}
