import { cutUtf8, FAILURE_TEXT_CHARS } from '@bailing/contract';
import type { Answer, Recorded } from '@bailing/plugin-api';

/**
 * What a brain reads of an answer (WIRE §6.4): success is 200–299 only; the text is valid UTF-8 within the provider's budget and says
 * so when it was cut.
 */
export function recordedOf(answer: Answer, maxBytes: number): Recorded {
  const ok = answer.status >= 200 && answer.status <= 299;
  const text = answer.reported ? answer.body : ok ? successText(answer) : failureText(answer);
  return { ok, status: answer.status, text: withinBudget(text, maxBytes) };
}

function successText(answer: Answer): string {
  return answer.body.trim() === '' ? `(the business answered ${String(answer.status)} without a body)` : answer.body;
}

function failureText(answer: Answer): string {
  const body = answer.body.trim();
  if (looksLikePage(answer, body))
    return `HTTP ${String(answer.status)}: the business answered with an HTML page of ${String(answer.bytes)} bytes, which is not shown.`;
  if (body === '') return `HTTP ${String(answer.status)} without a body`;
  return `HTTP ${String(answer.status)}: ${body.slice(0, FAILURE_TEXT_CHARS).toWellFormed()}`;
}

function looksLikePage(answer: Answer, body: string): boolean {
  return answer.contentType.toLowerCase().includes('text/html') || /^<(!doctype|html)\b/i.test(body);
}

const CUT_NOTE = '\n[cut: the answer is longer than what may be passed on]';

function withinBudget(text: string, maxBytes: number): string {
  const whole = cutUtf8(text, maxBytes);
  return whole.cut ? cutUtf8(text, Math.max(0, maxBytes - CUT_NOTE.length)).text + CUT_NOTE : whole.text;
}
