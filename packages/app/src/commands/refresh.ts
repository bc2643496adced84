import type { AcceptView, FrozenView, RefreshView } from '@bailing/http';
import type { SpecFact } from '@bailing/engine/ports';
import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, plain, print } from '../out.js';

export interface RefreshOptions extends ConnectionOptions {
  readonly accept?: readonly string[];
  readonly json?: boolean;
}

/** Has a running hub read a provider's document now, or accepts what became looser about its tools. */
export async function refresh(provider: string, options: RefreshOptions): Promise<void> {
  const hub = connect(options);
  const at = `/admin/api/tool-providers/${encodeURIComponent(provider)}`;
  if (options.accept !== undefined) {
    const answer = (await hub.request('POST', `${at}/accept`, { tools: options.accept })) as AcceptView;
    if (options.json === true) return print(JSON.stringify(answer, null, 2));
    print(`Accepted: ${answer.accepted.map(plain).join(', ')}.`);
    return printFrozen(answer.frozen);
  }
  const answer = (await hub.request('POST', `${at}/refresh`)) as RefreshView;
  if (options.json === true) return print(JSON.stringify(answer, null, 2));
  printRefreshed(provider, answer);
}

function printRefreshed(
  provider: string,
  { tools, added, removed, changed, facts, frozen, authz_probe: authz, warnings }: RefreshView,
): void {
  print(`${bold(plain(provider))}: ${String(tools)} tools`);
  for (const [word, names] of [
    ['added', added],
    ['removed', removed],
    ['changed', changed],
  ] as const)
    if (names.length > 0) print(`    ${word.padEnd(9)}${names.map(plain).join(', ')}`);
  for (const fact of facts.filter(({ direction }) => direction !== 'neutral')) printFact(fact);
  printFrozen(frozen);
  print(`    authorisation probe: ${authz.status}${authz.reason === undefined ? '' : `. ${plain(authz.reason)}`}`);
  for (const says of warnings) print(`${bold('warning')} ${plain(says)}`);
}

function printFact({ direction, tool, says, code }: SpecFact): void {
  print(`    ${direction === 'looser' ? bold('LOOSER') : direction} ${tool === '' ? '' : `${plain(tool)}: `}${plain(says)} (${code})`);
}

function printFrozen(frozen: readonly FrozenView[]): void {
  for (const { tool, since, facts } of frozen) {
    const what = tool === '*' ? 'every tool of this provider' : plain(tool);
    print(`${bold('frozen')} ${what} since ${since}; accept with --accept '${plain(tool)}'`);
    for (const { says } of facts) print(`    ${plain(says)}`);
  }
}
