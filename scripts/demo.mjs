// `npm run demo`: from a fresh clone to three governed jobs. Needs only Node; no key, no network beyond the first install.
import path from 'node:path';
import { prepare, root } from './lib/prepare.mjs';
import { standIn } from './lib/stand-in.mjs';

await prepare();
standIn([path.join(root, 'packages', 'app', 'dist', 'bin.js'), 'demo', ...process.argv.slice(2)], { cwd: root });
