export {
  AUDIT_EVERY_MS,
  JOURNAL_EVERY_MS,
  JOURNAL_KEEP_MS,
  Retention,
  standingOf,
  type RetentionDeps,
  type Standing,
} from './retention.js';
