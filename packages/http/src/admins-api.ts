import { BailingError } from '@bailing/plugin-api';
import type { AdminCaller } from './hub-api.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Of the connection: failures are counted by it. */
  readonly address: string;
}

/** Too many failures, or too many at once; the answer says with `Retry-After` when another attempt is looked at. */
export class LoginThrottled extends BailingError {
  constructor(
    detail: string,
    /** Whole seconds, at least 1. */
    readonly retryAfterS: number,
  ) {
    super('BAILING_LOGIN_THROTTLED', { detail });
  }
}

/** Administrators and their sessions (WIRE §1.5). */
export interface AdminsApi {
  /** @throws BailingError BAILING_LOGIN_REFUSED; LoginThrottled */
  login(credentials: Credentials): Promise<{ readonly cookie: string; readonly username: string; readonly displayName: string }>;
  logout(cookie: string): Promise<void>;
  /** Whose session a cookie names, with what their role may do now. Null: nobody's. */
  session(cookie: string): Promise<AdminCaller | null>;
  /** Ends every session of this administrator but none of others. @throws BailingError 401 for a wrong old password, 409 for administrators of the file */
  changePassword(by: AdminCaller, passwords: { readonly old: string; readonly next: string; readonly address: string }): Promise<void>;
}
