import { BailingError, type HttpArg } from '@bailing/plugin-api';
import { expect } from 'chai';
import { bindingOf, CONTEXT, toolFor } from '../test-support/calls.js';
import { freezeCall } from './freeze.js';
import { isForbiddenHeader } from './headers.js';

function headersOf(arg: HttpArg, value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(freezeCall(toolFor(bindingOf('GET', '/x', { v: arg })), { v: value }, CONTEXT, 1_000).headers);
}

function refused(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof BailingError) return error.code;
    throw error;
  }
}

const named = (name: string): HttpArg => ({ in: 'header', name });

describe('header parameters', () => {
  it('go out under their own name beside the headers of the hub', () => {
    expect(headersOf(named('X-Shop'), 'north')).to.deep.equal({
      'X-Bailing-Job-Id': 'job-test-001',
      'X-Bailing-Client': 'crm',
      'X-Bailing-On-Behalf-Of': '179:1',
      'X-Bailing-Tool-Scope': 'order.read',
      'X-Shop': 'north',
    });
  });

  it('never touch a header of the hub, of the connection or of credentials, in any spelling', () => {
    const names = [
      ...[
        'X-Bailing-Signature',
        'x-bailing-on-behalf-of',
        'X-BAILING-ANYTHING',
        'X_Bailing_Job_Id',
        'x-bailing_client',
        'X.Bailing.Client',
      ],
      ...['Host', 'Connection', 'Keep-Alive', 'Transfer-Encoding', 'transfer_encoding', 'TE', 'Trailer', 'Upgrade', 'Proxy-Authorization'],
      ...['Content-Length', 'content-type', 'Content-Encoding', 'Content-Anything', 'content_length', 'Expect', 'Accept-Encoding'],
      ...[
        'Authorization',
        'AUTHORIZATION',
        'Cookie',
        'cookie',
        'Set-Cookie',
        'Forwarded',
        'X-Forwarded-For',
        'X-Forwarded-Host',
        'X-Real-IP',
      ],
      ...['X-HTTP-Method-Override', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL', 'Sec-Fetch-Site', 'Via'],
    ];
    for (const name of names) {
      expect(isForbiddenHeader(name), name).to.equal(true);
      expect(
        refused(() => headersOf(named(name), 'x')),
        name,
      ).to.equal('BAILING_TARGET_UNSAFE');
    }
    for (const name of ['X-Tenant', 'Accept', 'Accept-Language', 'If-Match', 'Idempotency-Key', 'X-Bail'])
      expect(isForbiddenHeader(name), name).to.equal(false);
  });

  it('are refused when the name is no header name or the value no header value', () => {
    for (const name of ['', 'a b', 'a:b', 'a\r\nb', '名'])
      expect(
        refused(() => headersOf(named(name), 'x')),
        name,
      ).to.equal('BAILING_TARGET_UNSAFE');
    for (const value of [
      'a\r\nX-Bailing-Client: evil',
      'a\nb',
      'a\rb',
      '\u0000',
      '张三',
      'a\u2028',
      ' a',
      'a ',
      '\u007f',
      { a: 1 },
      [{}],
    ]) {
      expect(
        refused(() => headersOf(named('X-Shop'), value)),
        JSON.stringify(value),
      ).to.equal('BAILING_TARGET_UNSAFE');
    }
  });

  it('are text, lists, objects with a style, and JSON in ASCII', () => {
    expect(headersOf(named('X-V'), 1.5)['X-V']).to.equal('1.5');
    expect(headersOf(named('X-V'), 'caf\u00e9')['X-V']).to.equal('caf\u00e9');
    expect(headersOf(named('X-V'), ['a', 'b'])['X-V']).to.equal('a,b');
    expect(headersOf({ in: 'header', name: 'X-V', style: 'simple' }, { a: 1, b: 2 })['X-V']).to.equal('a,1,b,2');
    expect(headersOf({ in: 'header', name: 'X-V', style: 'simple', explode: true }, { a: 1, b: 2 })['X-V']).to.equal('a=1,b=2');
    expect(headersOf({ in: 'header', name: 'X-V', json: true }, { 名: '\u007f' })['X-V']).to.equal('{"\\u540d":"\\u007f"}');
  });

  it('cannot be there twice, whatever the letter case', () => {
    const binding = bindingOf('GET', '/x', { a: named('X-Shop'), b: named('x-shop') });
    expect(refused(() => freezeCall(toolFor(binding), { a: '1', b: '2' }, CONTEXT, 1_000))).to.equal('BAILING_TARGET_UNSAFE');
  });
});

describe('the headers of the hub', () => {
  it('refuse a subject that a header cannot carry', () => {
    for (const subject of ['a\r\nb', 'a\u0000', ' a', 'a ', '\ud800']) {
      expect(refused(() => freezeCall(toolFor(bindingOf('GET', '/x')), {}, { ...CONTEXT, subject }, 1_000))).to.equal(
        'BAILING_SUBJECT_MISSING',
      );
    }
  });
});
