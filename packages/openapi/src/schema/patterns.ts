import { createSchemaCheck } from '@bailing/schema';

/** Whether the schema room can check a pattern. */
export type PatternCheck = (pattern: string) => boolean;

/** Remembers its answers: documents repeat their patterns. */
export function patternCheck(): PatternCheck {
  const room = createSchemaCheck({ cacheSize: 1 });
  const known = new Map<string, boolean>();
  return (pattern) => {
    let usable = known.get(pattern);
    if (usable === undefined) known.set(pattern, (usable = room.tryCompile({ pattern }).ok));
    return usable;
  };
}
