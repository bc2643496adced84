import type { Cause, ExplainedCall, ExplainedRequest, Explanation } from '@bailing/engine';
import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, dim, plain, print } from '../out.js';
import { pairsOf } from '../pairs.js';

export interface ExplainOptions extends ConnectionOptions {
  readonly route: string;
  readonly subject?: string;
  readonly client?: string;
  readonly meta?: readonly string[];
  readonly tool?: string;
  readonly args?: string;
  readonly json?: boolean;
}

/** Asks a running hub why and why not. */
export async function explain(options: ExplainOptions): Promise<void> {
  const { route, subject, client, meta, tool, args } = options;
  const answer = (await connect(options).request('POST', '/admin/api/explain', {
    route,
    ...(subject !== undefined && { subject }),
    ...(client !== undefined && { client_app_id: client }),
    ...(meta && { metadata: pairsOf('--meta', meta) }),
    ...(tool !== undefined && { tool, arguments: args ?? '' }),
  })) as Explanation;
  if (options.json === true) return print(JSON.stringify(answer, null, 2));
  printRoute(answer);
  if (answer.call) printCall(answer.call);
  else printTools(answer);
}

function printRoute({ route, client, subjects, stops }: Explanation): void {
  print(`${bold('route')} ${plain(route)}, asked by ${client === null ? 'an administrator' : `the client ${plain(client)}`}`);
  for (const { provider, field, subject } of subjects)
    print(`    ${plain(provider)} acts for ${subject === '' ? `nobody (metadata.${field} is empty)` : plain(subject)}`);
  for (const cause of stops) printCause('STOPPED', cause);
}

function printTools({ tools }: Explanation): void {
  print(`${bold('shown')} ${String(tools.counts.visible)}`);
  for (const { name, scope, risk, approval } of tools.visible)
    print(`    ${plain(name)}  ${dim(`${plain(scope)}, ${risk} risk${APPROVAL[approval]}`)}`);
  print(`${bold('not shown')} ${String(tools.counts.hidden)}`);
  for (const { name, provider, because } of tools.hidden) {
    print(`    ${name === '*' ? `every tool of ${plain(provider)}` : plain(name)}`);
    for (const cause of because) printCause('', cause);
  }
  if (tools.counts.refused === 0) return;
  print(`${bold('operations that became no tool')} ${String(tools.counts.refused)}`);
  for (const { operation, because } of tools.refused) {
    print(`    ${plain(operation)}`);
    for (const cause of because) printCause('', cause);
  }
}

const APPROVAL = {
  always: ', always needs approval',
  for_some_arguments: ', needs approval for some arguments',
  by_declaration_never: '',
} as const;

const WOULD = { be_sent: 'would be sent', be_held_for_approval: 'would be held for approval', be_refused: 'would be refused' } as const;
const MARK = { pass: 'pass', hold: 'HOLD', refuse: 'REFUSE', not_asked: 'not asked' } as const;

function printCall(call: ExplainedCall): void {
  print(`${bold(plain(call.tool))} ${WOULD[call.would]}`);
  for (const { step, is, causes } of call.steps) {
    print(`    ${step.padEnd(10)}${MARK[is]}`);
    for (const cause of causes) printCause('    ', cause);
  }
  for (const { gate, verdict, reason } of call.gates)
    print(`    gate ${plain(gate)}: ${verdict}${reason === undefined ? '' : ` (${plain(reason)})`}`);
  if (call.approval) print(`    approval is asked of ${plain(call.approval.type)} for ${call.approval.holds.map(plain).join(', ')}`);
  for (const { bucket, used, limit, left, cost } of call.spends)
    print(`    quota ${plain(bucket)}: ${String(used)} of ${String(limit)} used, ${String(left)} left, this call takes ${String(cost)}`);
  if (call.request) printRequest(call.request);
  print(dim(`    not part of this answer: ${call.depends_on_the_job.join('; ')}`));
}

function printRequest(request: ExplainedRequest): void {
  print(`    ${bold(`${request.method} ${plain(request.url)}`)}`);
  for (const [name, value] of request.headers) print(`        ${name}: ${plain(value)}`);
  if (request.body_bytes > 0)
    print(`        ${dim(`body, ${String(request.body_bytes)} bytes, ${request.body_encoding}`)}\n        ${plain(request.body)}`);
  print(`        ${dim('string to sign')}\n        ${plain(request.string_to_sign)}`);
}

function printCause(mark: string, { says, setting, fix }: Cause): void {
  print(`      ${mark === '' ? '' : `${mark} `}${plain(says)}`);
  print(`      ${mark.trim() === '' ? mark : ''}${dim('setting')} ${plain(setting)}`);
  print(`      ${mark.trim() === '' ? mark : ''}${dim('fix')}     ${plain(fix)}`);
}
