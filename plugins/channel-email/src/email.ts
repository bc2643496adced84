import type { Channel, ChannelRow, Sockets } from '@bailing/plugin-api';
import { composed, type Mail } from './compose.js';
import { readConfig } from './config.js';
import { sendMail } from './smtp.js';

/** A message is one mail for every hundred recipients, and each mail one part. */
export function openEmail(row: ChannelRow, sockets: Sockets): Channel<Mail> {
  const config = readConfig(row);
  return {
    prepare: async (message, context) => {
      const mails = await composed(config, message, context);
      return mails.map((mail, index) => ({ says: `mail ${String(index + 1)} of ${String(mails.length)}`, body: mail, to: mail.to }));
    },
    deliver: ({ body }, context) => sendMail(config, body, context, sockets),
  };
}
