import fs from 'node:fs';
import { exportYaml } from '@bailing/resources';
import { openDoor } from '../config-door.js';
import type { ConnectionOptions } from '../hub-connection.js';
import { CommandFailure, print, printError } from '../out.js';

export interface ExportOptions extends ConnectionOptions {
  readonly output?: string;
  readonly secrets: string;
}

/** The objects of the database as the YAML that `apply` takes; secrets as names of variables. */
export async function exportObjects(options: ExportOptions): Promise<void> {
  const { secrets } = options;
  if (secrets !== 'env' && secrets !== 'masked') throw new CommandFailure('--secrets is env or masked.');
  const door = await openDoor(options);
  try {
    const { text, variables } = exportYaml(await door.export(), secrets);
    if (options.output === undefined) print(text.trimEnd());
    else fs.writeFileSync(options.output, text);
    if (secrets === 'env' && variables.length > 0)
      printError(`To apply this, set ${variables.join(', ')}; where the objects exist already, leave the secrets out to keep them.`);
  } finally {
    await door.close();
  }
}
