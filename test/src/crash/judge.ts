import type { Edge } from './edges.js';
import type { Facts } from './observe.js';

const RECONCILE = 'tool_execution_reconciliation_required';

/** What an edge broke; empty where every promise held. */
export function judge(edge: Edge, facts: Facts): string[] {
  return [...always(edge, facts), ...promised(edge, facts)];
}

/** What holds after every edge, whatever it promises. */
function always({ story }: Edge, facts: Facts): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, says: string) => void (holds || broken.push(says));
  must(facts.reached, 'the edge was not reached');
  must(facts.doubles === 0, `DOUBLE EFFECT: ${String(facts.doubles)} writes happened twice`);
  must(facts.arrivals <= facts.calls, `${String(facts.arrivals)} requests at the business, ${String(facts.calls)} tool_call lines`);
  must(facts.callsUsed === facts.calls, `${String(facts.callsUsed)} calls counted, ${String(facts.calls)} tool_call lines`);
  must(facts.ledger.length === 0, `the ledger does not verify: ${facts.ledger.join('; ')}`);
  must(!(facts.status === 'done' && facts.unresolved > 0), 'THE JOB LIES: done over an unresolved write');
  must(!(facts.status === 'error' && facts.error !== RECONCILE && facts.effects > 0), 'THE JOB LIES: failed, and the write happened');
  if ((story.shop?.providerRate ?? 0) > 0)
    must(facts.spends === facts.calls, `${String(facts.spends)} spends for ${String(facts.calls)} calls`);
  return broken;
}

function promised({ promise, effects }: Edge, facts: Facts): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, says: string) => void (holds || broken.push(`${promise}: ${says}`));
  if (promise === 'either') {
    must(
      facts.effects <= effects && (facts.status === 'done' ? facts.effects === effects : facts.error === RECONCILE),
      `the job ended ${facts.status} ${facts.error}`,
    );
    return broken;
  }
  must(facts.effects === effects, `${String(facts.effects)} effects, not ${String(effects)}`);
  if (promise === 'unavailable') {
    must(facts.error === 'tool_execution_journal_unavailable', `the job ended ${facts.status} ${facts.error}`);
    must(facts.governance === 'execution_journal_unavailable', `governance ${facts.governance}`);
    return broken;
  }
  if (promise === 'unknown') {
    must(facts.status === 'error' && facts.error === RECONCILE, `the job ended ${facts.status} ${facts.error}`);
    must(facts.governance === 'reconciliation_required', `governance ${facts.governance}`);
    return broken;
  }
  must(facts.status === 'done', `the job ended ${facts.status} ${facts.error}`);
  if (promise === 'held') must(facts.approvals === 1 && facts.arrivals === 0, `${String(facts.approvals)} open questions`);
  if (promise === 'read') must(facts.arrivals > 0, 'the business was not asked');
  if (promise === 'once' || promise === 'refused') must(facts.completed === effects, `${String(facts.completed)} completed rows`);
  return broken;
}
