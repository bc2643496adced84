import { autoRoute, principalOf } from '@bailing/engine';
import type { Settings } from '@bailing/engine/ports';
import type { AutoPreviewRequest } from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';

/** The dry run of `route: auto` (WIRE §2.5). @throws BailingError BAILING_REQUEST_MALFORMED for a client that is not configured */
export function autoPreview(request: AutoPreviewRequest, settings: Settings): Readonly<Record<string, unknown>> {
  const { input, metadata, clientAppId } = request;
  const client = clientAppId === undefined ? undefined : settings.client(clientAppId);
  if (clientAppId !== undefined && !client)
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'client_app_id', detail: 'There is no such client.' });
  const principal = principalOf(metadata, request.channel ?? clientAppId ?? 'admin', clientAppId);
  const { decision, selected, rows } = autoRoute({ input, metadata, principal, ...(client && { client }) }, settings);
  return {
    ok: decision.ok,
    ...(selected !== undefined && { selected_route: selected }),
    ...(decision.error !== undefined && { error: decision.error }),
    candidates: decision.candidates,
    rows,
    principal,
    client: client ? { app_id: client.app_id, name: client.name } : null,
  };
}
