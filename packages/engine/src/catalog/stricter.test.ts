import type { ToolDefinition } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { CompiledTool } from './revision.js';
import { stricterTool } from './stricter.js';

const PLAIN = { name: 'pay', risk: 'medium', readonly: false, idempotent: false, sideEffecting: true, fingerprint: 'f' };

function tool(more: Partial<ToolDefinition> = {}): CompiledTool {
  return { definition: Object.freeze({ ...PLAIN, ...more }) as ToolDefinition, check: () => [] };
}

function merged(today: Partial<ToolDefinition>, pinned: Partial<ToolDefinition>): ToolDefinition {
  return stricterTool(tool(today), tool(pinned)).definition;
}

describe('the tool of today under the protections a job began with', () => {
  it('stays a write where the job began with a write', () => {
    const looser = { readonly: true, sideEffecting: false, risk: 'low', fingerprint: 'g' } as const;
    expect(merged(looser, {})).to.include({ readonly: false, sideEffecting: true, risk: 'medium' });
    expect(merged({}, looser)).to.include({ readonly: false, sideEffecting: true, risk: 'medium' });
  });

  it('keeps the lower rate limit, also where nothing else changed and the fingerprint is the same', () => {
    const two = { count: 2, window: '1m' } as const;
    expect(merged({}, { rateLimit: two }).rateLimit).to.deep.equal(two);
    expect(merged({ rateLimit: two }, {}).rateLimit).to.deep.equal(two);
    expect(merged({ rateLimit: { count: 500, window: '1h' } }, { rateLimit: two }).rateLimit).to.deep.equal(two);
    expect(merged({ rateLimit: { count: 10, window: '1d' } }, { rateLimit: two }).rateLimit).to.deep.equal({ count: 10, window: '1d' });
  });

  it('is the very tool of today where no protection differs', () => {
    const today = tool();
    expect(stricterTool(today, tool())).to.equal(today);
  });
});
