#!/usr/bin/env node
import { BailingError } from '@bailing/plugin-api';
import { CommandFailure, printError } from './out.js';
import { bailingProgram } from './program.js';

// A start that waits for something that will never come ends silently in Node; say so instead.
process.once('exit', (code) => {
  if (code === 13)
    printError(
      'BAILING_HUB_FAILED The command ended while it waited for something that never came: a database file that is not one, or a plugin that never finishes loading. Check hub.database and the plugins.',
    );
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await bailingProgram().parseAsync();
} catch (error) {
  const { redactText } = await import('@bailing/hub');
  printError(redactText(sentenceOf(error)));
  process.exitCode = 1;
}

/** Failures that say what is wrong need no stack; anything else is a defect and shows where. */
function sentenceOf(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof BailingError) return `${error.code} ${error.message} ${error.entry.fix}`;
  if (error instanceof Error && error.name === 'BootFailure') return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'EADDRINUSE' || code === 'EACCES')
    return `BAILING_CONFIG_INVALID hub.port: the address cannot be listened on (${code}). Another process has it, or it is not yours to take; set hub.port.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
