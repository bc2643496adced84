import { configurationAsCode, configureOverHttp, documents } from './stages/configuring.js';
import { questions, unknownWrites } from './stages/deciding.js';
import { backups, ledgerCopy, oneJob, receivedCall, stoppable } from './stages/operating.js';
import { firstHub, ownHub } from './stages/starting.js';
import { messages } from './stages/sending.js';
import type { Stage } from './stage.js';

/** What a page takes for granted before its first command. Every other page begins beside a hub that runs, with the example business behind it. */
export const STAGES: Readonly<Record<string, () => Stage | Promise<Stage>>> = {
  'README.md': ownHub,
  'docs/how-to/approve-calls.md': questions,
  'docs/how-to/configuration-as-code.md': configurationAsCode,
  'docs/how-to/configure-over-http.md': configureOverHttp,
  'docs/how-to/declare-tools.md': documents,
  'docs/how-to/find-what-is-wrong.md': receivedCall,
  'docs/how-to/keep-evidence.md': oneJob,
  'docs/how-to/operate.md': backups,
  'docs/how-to/send-messages.md': messages,
  'docs/how-to/settle-unknown-calls.md': unknownWrites,
  'docs/how-to/stop-calls.md': stoppable,
  'docs/how-to/verify-the-ledger.md': ledgerCopy,
  'docs/start/first-hub.md': firstHub,
};
