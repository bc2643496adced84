/** Shorter ones would be found in words that are none. */
const SECRET_CHARS = 8;

/**
 * A body without what would open the business again: a business that echoes its request sends back the signature, good for some minutes more, and
 * one that tells too much its secret. What stands there literally is masked before anybody reads, stores or cuts the body; never longer than it was.
 */
export function masked(body: string, signature: string, secret: string): string {
  const hex = signature.slice(signature.indexOf('=') + 1);
  const unsigned = body.includes(hex) ? body.replaceAll(hex, '[signature]') : body;
  return secret.length >= SECRET_CHARS && unsigned.includes(secret) ? unsigned.replaceAll(secret, '[secret]') : unsigned;
}
