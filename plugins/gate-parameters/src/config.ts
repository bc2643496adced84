const names = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 191 }, maxItems: 100 } as const;
const verdict = { type: 'string', enum: ['hold', 'deny'], default: 'hold' } as const;

/** One rule: where it applies, and what it asks. Every question a rule asks is asked; the strictest answer counts. */
const rule = {
  type: 'object',
  properties: {
    /** Applies to these providers, routes, tools; absent means all. */
    providers: names,
    routes: names,
    tools: names,
    /** Applies to messages through these channels, and to nothing else. */
    channels: names,
    /** The named arguments must equal the tenant part of the subject (`tenant:user`, up to the separator). */
    tenant: {
      type: 'object',
      properties: { params: names, separator: { type: 'string', minLength: 1, maxLength: 4, default: ':' }, verdict },
      required: ['params'],
      additionalProperties: false,
    },
    /** Any of these arguments present, at any depth of objects and arrays. */
    sensitive: { type: 'object', properties: { params: names, verdict }, required: ['params'], additionalProperties: false },
    /** How many are affected: a number argument, or the length of an array argument. */
    count: {
      type: 'object',
      properties: { params: names, above: { type: 'integer', minimum: 0 }, verdict },
      required: ['params', 'above'],
      additionalProperties: false,
    },
    amount: {
      type: 'object',
      properties: { params: names, above: { type: 'number' }, verdict },
      required: ['params', 'above'],
      additionalProperties: false,
    },
    /** Addresses outside these mail domains or URL hosts. */
    external: {
      type: 'object',
      properties: { params: names, inside: names, verdict },
      required: ['params', 'inside'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

export const rulesSchema = {
  type: 'object',
  properties: { rules: { type: 'array', items: rule, maxItems: 200, default: [] } },
  additionalProperties: false,
} as const;

type Answer = 'hold' | 'deny';

export interface Rule {
  readonly providers?: readonly string[];
  readonly routes?: readonly string[];
  readonly tools?: readonly string[];
  readonly channels?: readonly string[];
  readonly tenant?: { readonly params: readonly string[]; readonly separator: string; readonly verdict: Answer };
  readonly sensitive?: { readonly params: readonly string[]; readonly verdict: Answer };
  readonly count?: { readonly params: readonly string[]; readonly above: number; readonly verdict: Answer };
  readonly amount?: { readonly params: readonly string[]; readonly above: number; readonly verdict: Answer };
  readonly external?: { readonly params: readonly string[]; readonly inside: readonly string[]; readonly verdict: Answer };
}
