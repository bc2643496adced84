/** Says a text again without the secrets in it. */
export type Blank = (text: string) => string;

/** Shorter ones stand in every second word by chance, and keep nothing secret. */
const LEAST_CHARS = 4;
const HIDDEN = '…';

/** What a plugin says of a row may repeat the row's secrets, plain or as they travel: in JSON, in an address, or in a header as base64. */
export function blanker(secrets: readonly (string | undefined)[]): Blank {
  const forms = secrets.flatMap((secret) => (secret === undefined || secret.length < LEAST_CHARS ? [] : formsOf(secret)));
  // The longest first: a secret may begin as another one does.
  const all = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => all.reduce((said, form) => said.replaceAll(form, HIDDEN), text);
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ];
}
