import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../package.json') as { version: string };

export const APP = Object.freeze({ name: 'bailing', version: manifest.version });

/** Contract ids this version speaks (WIRE §2.8). */
export const CONTRACTS = Object.freeze({
  boundary: 'bailing.contract.v2.13',
  clientApi: 'bailing.client-api.v1',
  toolDefinition: 'bailing.tool-definition.v1',
  approvalIntent: 'bailing.approval-intent.v1',
  approvalDecision: 'bailing.approval-decision.v1',
});

/** Set by whoever builds an image; empty otherwise. */
export function buildOf(env: Readonly<Record<string, string | undefined>>): {
  readonly commit: string;
  readonly branch: string;
  readonly build_time: string;
} {
  return { commit: env.BAILING_BUILD_COMMIT ?? '', branch: env.BAILING_BUILD_BRANCH ?? '', build_time: env.BAILING_BUILD_TIME ?? '' };
}
