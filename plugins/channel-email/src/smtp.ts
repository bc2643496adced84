import { BailingError, type ChannelContext, type PartSent, type Sockets } from '@bailing/plugin-api';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { Readable } from 'node:stream';
import type { Mail } from './compose.js';
import type { EmailConfig } from './config.js';
import { inSteps } from './steps.js';

/** What an error of the SMTP dialogue says of itself. */
interface Fault {
  readonly code?: string;
  /** The server's reply, where there was one. */
  readonly responseCode?: number;
}

/**
 * Sends one mail in a connection of its own. Until the server asks for the text nothing can have been delivered, so whatever fails by then is a plain no;
 * from there to its last reply a lost connection leaves it unknown.
 */
export async function sendMail(config: EmailConfig, mail: Mail, context: ChannelContext, sockets: Sockets): Promise<PartSent> {
  const { host, port, timeout_ms: timeoutMs } = config;
  let connection: SMTPConnection | undefined;
  let socket: Awaited<ReturnType<Sockets['connect']>> | undefined;
  let streaming = false;
  try {
    socket = await sockets.connect({ host, port, timeoutMs }, context.signal);
    connection = new SMTPConnection({ ...optionsOf(config), connection: socket });
    const text = Readable.from(pieces(mail.raw, () => (streaming = true)));
    return await spoken(connection, config, mail, text, context.signal);
  } catch (error) {
    return endOf(error, streaming);
  } finally {
    connection?.close();
    socket?.destroy();
  }
}

function optionsOf({ host, port, security, ca, timeout_ms: timeoutMs }: EmailConfig): SMTPConnection.Options {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    tls: { ...(!isAddress(host) && { servername: host }), minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    logger: false,
  };
}

/** An address is no name to ask a server for. */
function isAddress(host: string): boolean {
  return /^[0-9.]+$|:/.test(host);
}

/** The first piece is asked for when the server has asked for the text. */
async function* pieces(raw: Buffer, begun: () => void): AsyncGenerator<Buffer> {
  begun();
  yield* inSteps(raw);
}

function spoken(
  connection: SMTPConnection,
  { user, password, from }: EmailConfig,
  mail: Mail,
  text: Readable,
  signal: AbortSignal,
): Promise<PartSent> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('the time to send was over'));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const over = (error: unknown) => {
      signal.removeEventListener('abort', giveUp);
      reject(error instanceof Error ? error : new Error('the mail server failed'));
    };
    // For as long as it lives: an error that nobody hears would end the hub.
    connection.on('error', over);
    connection.once('end', () => over(new Error('the server closed the connection')));
    const send = () =>
      connection.send({ from, to: [...mail.to] }, text, (error, info) => {
        if (error) return over(error);
        signal.removeEventListener('abort', giveUp);
        resolve({ is: 'accepted', refused: info.rejected });
      });
    connection.connect((error) => {
      if (error) return over(error);
      if (user === undefined || password === undefined) return send();
      connection.login({ user, pass: password, credentials: { user, pass: password } }, (refused) => (refused ? over(refused) : send()));
    });
  });
}

/** Words of a server may repeat what it was sent, so its number is told and not its text. */
export function endOf(error: unknown, streaming: boolean): PartSent {
  if (error instanceof BailingError) return { is: 'refused', why: error.message, later: error.entry.retry !== 'never' };
  const { code = '', responseCode } = (error ?? {}) as Fault;
  // A reply of another kind is none to what was asked: after the text it says nothing of what became of the mail.
  if (typeof responseCode === 'number' && responseCode >= 400 && responseCode <= 599) {
    return { is: 'refused', why: `the mail server answered ${String(responseCode)}${stageOf(code)}`, later: responseCode < 500 };
  }
  if (streaming) return { is: 'unknown', why: `the mail server was lost before it confirmed the mail${code === '' ? '' : ` (${code})`}` };
  const later = code !== 'EENVELOPE' && code !== 'EAUTH';
  return { is: 'refused', why: `the mail server could not be spoken to${code === '' ? '' : ` (${code})`}`, later };
}

const STAGES: Readonly<Record<string, string>> = {
  EAUTH: ' to the login',
  EENVELOPE: ' to the sender or the recipients',
  EMESSAGE: ' to the mail',
};

function stageOf(code: string): string {
  return STAGES[code] ?? '';
}
