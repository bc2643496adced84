/** Why an address with a login in it is refused. */
export const CREDENTIALED = 'It must not carry a user name or password; secrets have a field of their own.';

/** Whether a text is a web address with a login in it. An address is shown, exported and logged: what stands in it is no secret. */
export function hasCredentials(text: string): boolean {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}
