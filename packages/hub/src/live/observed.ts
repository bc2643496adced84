import type { ObjectView, ToolProvidersApi } from '@bailing/http';
import type { Observed } from './objects-desk.js';

/** Evidence members of a tool provider (WIRE §18 "Read-only"): they stand beside the configuration and are no part of it. */
const EVIDENCE = ['spec_access_probe', 'spec_refreshed_at', 'has_spec', 'tools', 'revision', 'frozen', 'authz_probe', 'warnings'] as const;

/** Expectation and evidence of tool providers side by side. Lists leave the documents out: they may be megabytes each. */
export function observedProviders(api: Pick<ToolProvidersApi, 'view'>): Observed {
  return {
    adds: EVIDENCE,
    show: async (name, view, whole) => {
      const seen = await api.view(name);
      if (whole) return { ...view, ...Object.fromEntries(EVIDENCE.map((member) => [member, seen[member]])) };
      const { spec_json: _document, ...rest } = view as ObjectView & { readonly spec_json?: unknown };
      return { ...rest, ...seen };
    },
  };
}
