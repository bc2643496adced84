import type { Sockets } from '@bailing/plugin-api';
import { connect, type AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Delivered {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly got: Delivered[];
  close(): Promise<void>;
}

/** A real SMTP server on loopback that keeps what it takes. It refuses recipients at `nowhere.example`. */
export async function startMailServer(more: SMTPServerOptions = {}): Promise<MailServer> {
  const got: Delivered[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const error = Object.assign(new Error(`no such mailbox ${address}`), { responseCode: 550 });
      done(address.endsWith('@nowhere.example') ? error : null);
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const user: unknown = session.user;
        const from = mailFrom === false ? '' : mailFrom.address;
        got.push({
          from,
          to: rcptTo.map(({ address }) => address),
          user: typeof user === 'string' ? user : undefined,
          text: Buffer.concat(parts).toString('utf8'),
        });
        done();
      });
    },
    ...more,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, got, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Connections as the hub's service makes them, without its host rules. */
export const plainSockets: Sockets = {
  connect: ({ host, port }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port }, () => resolve(socket));
      socket.once('error', reject);
    }),
};
