import { verifyLedger } from '@bailing/store';
import type { Stage } from './stage.js';

/** What is true after an edge: in the job, in the journal, in the ledger, and at the business. */
export interface Facts {
  /** The harm was done where it was meant to be. */
  readonly reached: boolean;
  readonly status: string;
  readonly error: string;
  readonly governance: string;
  readonly text: string;
  /** Writes that happened at the business. */
  readonly effects: number;
  /** Writes that happened more than once. */
  readonly doubles: number;
  readonly arrivals: number;
  /** Requests the business turned away. */
  readonly refused: readonly string[];
  /** `tool_call` lines of the job. */
  readonly calls: number;
  readonly callsUsed: number;
  /** Spends of the provider's limit. */
  readonly spends: number;
  readonly unresolved: number;
  readonly completed: number;
  readonly approvals: number;
  /** What the ledger's verifier found. */
  readonly ledger: readonly string[];
}

export async function observe(stage: Stage, id: string): Promise<Facts> {
  const { database, business } = stage;
  const { body: job } = await stage.ask('GET', `/jobs/${id}`);
  const result = (job.result ?? {}) as { governance_state?: string; text?: string };
  const rows = await database.query(`SELECT state FROM bz_tool_executions WHERE job_id = '${id}'`);
  const completed = rows.filter(({ state }) => state === 'completed').length;
  const effects = business.effects();
  const distinct = new Set(effects.map(({ tool, params }) => `${tool} ${JSON.stringify(params)}`));
  const { found } = await verifyLedger(database.url);
  return {
    reached: stage.reached,
    status: String(job.status),
    error: typeof job.error === 'string' ? job.error : '',
    governance: result.governance_state ?? '',
    text: result.text ?? '',
    effects: effects.length,
    doubles: effects.length - distinct.size,
    arrivals: business.arrivals.length,
    refused: business.refused,
    calls: await count(stage, `bz_audit WHERE job_id = '${id}' AND event = 'tool_call'`),
    callsUsed: Number((await database.query(`SELECT calls_used FROM bz_jobs WHERE id = '${id}'`))[0]?.calls_used),
    spends: await count(stage, `bz_rate_spends WHERE bucket LIKE 'provider:%'`),
    unresolved: rows.length - completed,
    completed,
    approvals: await count(stage, `bz_tool_approvals WHERE job_id = '${id}' AND status = 'pending'`),
    ledger: found.map(({ is, says }) => `${is}: ${says}`),
  };
}

async function count(stage: Stage, what: string): Promise<number> {
  return Number((await stage.database.query(`SELECT COUNT(*) AS n FROM ${what}`))[0]?.n);
}
