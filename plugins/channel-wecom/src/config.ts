import type { Clock, Http, Records } from '@bailing/plugin-api';

/** Settings of a row of kind `wecom` (WIRE §13.3). */
export const CONFIG = {
  type: 'object',
  properties: {
    corpid: { type: 'string', minLength: 1, maxLength: 128 },
    /** Secret of the application. */
    secret: { type: 'string', minLength: 1, maxLength: 256, writeOnly: true },
    agentid: {
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', pattern: '^[0-9]{1,15}$' },
      ],
    },
    /** Of the API; another one is for tests and private installations. */
    base_url: { type: 'string', pattern: '^https?://[^\\s#?]+$', maxLength: 512, default: 'https://qyapi.weixin.qq.com/cgi-bin' },
  },
  required: ['corpid', 'secret', 'agentid'],
  additionalProperties: false,
} as const;

export interface WecomConfig {
  readonly corpid: string;
  readonly secret: string;
  readonly agentid: number | string;
  readonly base_url: string;
}

/** What the channel is given by the host. */
export interface Given {
  readonly http: Http;
  readonly records: Records;
  readonly clock: Clock;
}
