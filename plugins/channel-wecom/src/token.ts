import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ChannelFailure } from '@bailing/plugin-api';
import { mayWork, notSent, type WecomApi } from './api.js';
import type { Given, WecomConfig } from './config.js';

/** A token is let go this long before WeCom does (WIRE §13.3). */
const EARLY_S = 120;
/** Where WeCom does not say how long. */
const LASTS_S = 7_200;
/** Whoever refreshes and dies leaves the others waiting no longer than this. */
const LOCK_MS = 15_000;
const LOOK_EVERY_MS = 100;

interface Token {
  readonly token: string;
  readonly until: number;
}

/**
 * The access token of one application, shared by all hubs through `records`, sealed under the application's own secret. One hub at a time asks for a
 * new one, and one request at a time in a hub: WeCom makes an older token worthless when it hands out the next.
 */
export class SharedToken {
  private readonly key: Buffer;
  private readonly name: string;
  private asking: Promise<string> | undefined;

  constructor(
    { corpid, agentid, secret, base_url: baseUrl }: WecomConfig,
    private readonly api: WecomApi,
    private readonly given: Given,
  ) {
    this.key = createHash('sha256').update(`channel-wecom token ${secret}`).digest();
    this.name = createHash('sha256')
      .update(JSON.stringify([baseUrl, corpid, String(agentid)]))
      .digest('hex')
      .slice(0, 32);
  }

  /** `stale`: a token that was refused; it is not answered again. @throws ChannelFailure */
  async get(signal: AbortSignal, stale?: string): Promise<string> {
    const running = await this.asking;
    if (running !== undefined && running !== stale) return running;
    return (this.asking ??= this.find(signal, stale).finally(() => (this.asking = undefined)));
  }

  private async find(signal: AbortSignal, stale: string | undefined): Promise<string> {
    const { records, clock } = this.given;
    const until = clock.now() + LOCK_MS;
    for (;;) {
      const kept = await this.read();
      if (kept && kept.token !== stale) return kept.token;
      const lock = await records.put(`lock:${this.name}`, '1', { ifRev: 0, ttlMs: LOCK_MS });
      if (lock !== 'moved') return this.refresh(signal, stale);
      if (signal.aborted || clock.now() >= until)
        throw new ChannelFailure('another hub is asking WeCom for a token and is not through', true);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  private async refresh(signal: AbortSignal, stale: string | undefined): Promise<string> {
    const { records, clock } = this.given;
    try {
      // Another hub may have been through between the look and the lock.
      const kept = await this.read();
      if (kept && kept.token !== stale) return kept.token;
      const said = await this.api.token(signal);
      const { access_token: token, expires_in: seconds } = said;
      if (said.errcode !== 0 || typeof token !== 'string' || token === '')
        throw new ChannelFailure(`WeCom gives no token (errcode ${String(said.errcode)})`, mayWork(said));
      const ttlMs = Math.max(1, (Number.isFinite(seconds) ? Number(seconds) : LASTS_S) - EARLY_S) * 1_000;
      await records.put(`token:${this.name}`, this.seal({ token, until: clock.now() + ttlMs }), { ttlMs });
      return token;
    } catch (error) {
      throw notSent(error, 'no token');
    } finally {
      await records.drop(`lock:${this.name}`);
    }
  }

  private async read(): Promise<Token | null> {
    const kept = await this.given.records.get(`token:${this.name}`);
    const token = kept && this.unseal(kept.value);
    return token && token.until > this.given.clock.now() ? token : null;
  }

  private seal(token: Token): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(token), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Null for what was sealed under another secret: the row has changed, and so has the token. */
  private unseal(text: string): Token | null {
    try {
      const bytes = Buffer.from(text, 'base64');
      const cipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')) as Token;
    } catch {
      return null;
    }
  }
}
