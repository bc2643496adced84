import type { JsonSchema } from '@bailing/plugin-api';
import { adminSchema } from '../schemas/admin.js';
import { alertRuleSchema } from '../schemas/alert-rule.js';
import { channelSchema } from '../schemas/channel.js';
import { clientSchema } from '../schemas/client.js';
import { credentialSchema } from '../schemas/credential.js';
import { routeSchema } from '../schemas/route.js';
import { executorTokenSchema, targetSchema } from '../schemas/target.js';
import { toolProviderSchema } from '../schemas/tool-provider.js';
import { secretPaths } from './paths.js';

/** Lists of `bailing.yaml` whose members are objects of WIRE §18: kept in the file or in the database, with one schema for both. */
export type ObjectMember =
  'clients' | 'executor_tokens' | 'targets' | 'credentials' | 'channels' | 'tool_providers' | 'routes' | 'alert_rules' | 'admins';

/** One kind of configuration object: everything generic about storing, serving, sealing and exporting it is read off here. */
export interface ObjectKind {
  readonly member: ObjectMember;
  /** Its collection under `/admin/api/` (WIRE §18). */
  readonly collection: string;
  /** The member that names one of them. */
  readonly key: string;
  /** One of them, in words. */
  readonly noun: string;
  readonly schema: JsonSchema;
  /** Dotted paths of secrets: sealed at rest, masked in answers. */
  readonly secrets: readonly string[];
  /** A secret that is only ever sent to the origins of these addresses; the first one is where it belongs. */
  readonly bound?: { readonly secret: string; readonly addresses: readonly string[] };
  /**
   * A member whose form a plugin gives, and the member that names the plugin's kind. It is sealed whole at rest; which texts of it are secret that kind
   * says, see `settings.ts`.
   */
  readonly settings?: { readonly member: string; readonly named: string };
  /** A bearer token the hub makes where none is given. */
  readonly makes?: 'token';
  /** The secret that can be read again, under its own path, with this audit event (WIRE §1.1). */
  readonly reveals?: { readonly field: 'token' | 'secret'; readonly event: string };
}

type Given = Omit<ObjectKind, 'secrets'>;
const kind = (given: Given): ObjectKind => Object.freeze({ ...given, secrets: secretPaths(given.schema) });

/** In the order of `bailing.yaml`. A kind that lands later adds its row here, its list to `configSchema` and its routes to openapi.yaml. */
export const objectKinds: readonly ObjectKind[] = Object.freeze([
  kind({
    ...{ member: 'clients', collection: 'clients', key: 'app_id', noun: 'client', schema: clientSchema, makes: 'token' },
    reveals: { field: 'token', event: 'client_token_revealed' },
  }),
  kind({
    ...{ member: 'executor_tokens', collection: 'executor-tokens', key: 'name', noun: 'executor token', schema: executorTokenSchema },
    makes: 'token',
    reveals: { field: 'token', event: 'executor_token_revealed' },
  }),
  kind({ member: 'targets', collection: 'targets', key: 'name', noun: 'target', schema: targetSchema }),
  kind({
    ...{ member: 'credentials', collection: 'credentials', key: 'name', noun: 'credential', schema: credentialSchema },
    bound: { secret: 'api_key', addresses: ['base_url'] },
  }),
  kind({
    ...{ member: 'channels', collection: 'channels', key: 'name', noun: 'channel', schema: channelSchema },
    settings: { member: 'config', named: 'kind' },
  }),
  kind({
    ...{ member: 'tool_providers', collection: 'tool-providers', key: 'name', noun: 'tool provider', schema: toolProviderSchema },
    bound: { secret: 'secret', addresses: ['base_url', 'spec_url'] },
    reveals: { field: 'secret', event: 'tool_secret_revealed' },
  }),
  kind({ member: 'routes', collection: 'routes', key: 'route_key', noun: 'route', schema: routeSchema }),
  kind({ member: 'alert_rules', collection: 'alert-rules', key: 'id', noun: 'alert rule', schema: alertRuleSchema }),
  kind({ member: 'admins', collection: 'admins', key: 'username', noun: 'administrator', schema: adminSchema }),
]);

/** @throws RangeError for a member that is no list of objects */
export function kindOf(member: string): ObjectKind {
  const found = objectKinds.find((one) => one.member === member);
  if (!found) throw new RangeError(`${member} is no list of objects`);
  return found;
}
