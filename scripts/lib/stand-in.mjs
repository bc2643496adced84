import { spawn } from 'node:child_process';

/**
 * Runs Node on a script in the place of this process: what is sent to this one reaches the child, which cleans up and ends, and this ends with its
 * status. A terminal sends Ctrl-C to both, so the child may hear it twice.
 */
export function standIn(args, options) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', ...options });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('close', (status) => {
    process.exitCode = status ?? 1;
  });
}
