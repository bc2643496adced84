import { compileDocument } from '@bailing/openapi';
import { definePlugin, points, services, type ProviderRow, type ToolSource } from '@bailing/plugin-api';
import { readInline } from './inline.js';
import { refreshByUrl, type Fetching } from './refresh.js';

/** The tool source of kind `openapi`: documents given inline or by URL (WIRE §4). */
export const sourceOpenapiPlugin = definePlugin({
  id: 'source-openapi',
  needs: { http: services.http, clock: services.clock },
  provides: (add) => [
    add(points.toolSource, 'openapi', ({ services: { http, clock } }) => ({ open: (row) => openSource(row, { http, clock }) })),
  ],
});

function openSource(row: ProviderRow, fetching: Fetching): ToolSource {
  return {
    refresh: (signal) => (row.spec_source === 'inline' ? Promise.resolve(readInline(row)) : refreshByUrl(row, fetching, signal)),
    compile: (document, overlay) => compileDocument(document, overlay === undefined ? {} : { overlays: [overlay] }),
  };
}
