import { BailingError, type ChannelRow } from '@bailing/plugin-api';
import { X509Certificate } from 'node:crypto';

/** Settings of a row of kind `email`. */
export const CONFIG = {
  type: 'object',
  properties: {
    host: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9.:_-]+$' },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 587 },
    /** `starttls` is required once asked for; `none` is for a server on the same machine. */
    security: { type: 'string', enum: ['tls', 'starttls', 'none'], default: 'starttls' },
    user: { type: 'string', minLength: 1, maxLength: 320 },
    password: { type: 'string', minLength: 1, maxLength: 1_024, writeOnly: true },
    /** A mail address. */
    from: { type: 'string', maxLength: 320, pattern: '^[^\\s<>@,;:"]+@[^\\s<>@,;:"]+$' },
    from_name: { type: 'string', maxLength: 128 },
    /** Of every mail; absent: the title of a card, else the first line of the text. */
    subject: { type: 'string', minLength: 1, maxLength: 200 },
    /** Whether the recipients of one message see each other. */
    show_recipients: { type: 'boolean', default: false },
    /** Certificates (PEM) of an authority of one's own. */
    ca: { type: 'string', maxLength: 65_536 },
    timeout_ms: { type: 'integer', minimum: 1_000, maximum: 120_000, default: 20_000 },
  },
  required: ['host', 'from'],
  additionalProperties: false,
} as const;

export interface EmailConfig {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
  readonly from_name?: string;
  readonly subject?: string;
  readonly show_recipients: boolean;
  readonly ca?: string;
  readonly timeout_ms: number;
}

/** @throws BailingError BAILING_CONFIG_INVALID for a password that would travel in the clear, half of a login, or a `ca` that holds no whole certificate */
export function readConfig({ name, config }: ChannelRow): EmailConfig {
  const email = config as unknown as EmailConfig;
  const refuse = (detail: string, member = '') =>
    new BailingError('BAILING_CONFIG_INVALID', { at: `channels ${name}, config${member}`, detail });
  if ((email.user === undefined) !== (email.password === undefined)) throw refuse('Give user and password, or neither.');
  if (email.password !== undefined && email.security === 'none') throw refuse('A password needs security: tls or starttls.');
  if (email.ca !== undefined && !areCertificates(email.ca))
    throw refuse('It must hold whole PEM certificates, each from its BEGIN to its END line.', '.ca');
  return email;
}

/** Half a certificate among whole ones counts as well: a TLS library reads up to it and says nothing. */
function areCertificates(pem: string): boolean {
  const begun = pem.match(/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/g) ?? [];
  const whole = pem.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]+-----END \1-----/g) ?? [];
  return whole.length > 0 && whole.length === begun.length && whole.every(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
