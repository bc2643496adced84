import type { Line } from '@bailing/engine/ports';
import type { Contributed } from '@bailing/kernel';
import type { GovernedCall, Log, Observer } from '@bailing/plugin-api';

/** Tells every observer; none is heard: a throw is logged and dropped. */
export function tellObservers(observers: readonly Contributed<Observer>[], log: Log): (line: Line, call?: GovernedCall) => void {
  if (observers.length === 0) return () => undefined;
  return (line, call) => {
    const observation = {
      event: line.event,
      at: line.at,
      job: line.job,
      requestId: line.requestId,
      severity: line.severity,
      detail: JSON.parse(line.detail) as Readonly<Record<string, unknown>>,
      ...(call && { call }),
    };
    for (const { plugin, name, value } of observers) {
      try {
        value.observe(observation);
      } catch (error) {
        log.warn('an observer failed', { plugin, name, error: String(error) });
      }
    }
  };
}
