import { line } from '../audit/index.js';
import type { Seat } from '../calls/index.js';
import type { View } from '../catalog/index.js';
import type { Line } from '../ports/index.js';

/** What is said of a job's tools when its work begins: what is missing, what is locked for want of a subject. */
export function viewLines(seat: Seat, now: number): Line[] {
  const of = { job: seat.job.id, requestId: seat.job.requestId };
  const lines: Line[] = [];
  const problem = toolsProblem(seat.view);
  if (problem !== '') lines.push(line('tools_unavailable', of, now, { error: problem.slice(0, 200) }));
  if (seat.view.locked.length > 0) lines.push(line('tools_locked', of, now, { reason: 'no_subject', sources: seat.view.locked }));
  return lines;
}

function toolsProblem(view: View): string {
  if (view.collisions.length > 0)
    return `two sources share the tool name ${view.collisions.slice(0, 5).join(', ')}; all tools are withdrawn`;
  return view.unavailable.map(({ provider, why }) => `${provider}: ${why}`).join('; ');
}
