/** Who a job is for, normalised from the trigger's metadata (WIRE §2.4). */
export interface Principal {
  readonly id: string;
  readonly tenant?: string;
  readonly roles: readonly string[];
  readonly audience?: string;
  readonly channel?: string;
  readonly client_app_id?: string;
}

type Members = Readonly<Record<string, unknown>>;

const OBJECT_ID = ['id', 'principal_id', 'user_id', 'uid', 'openid', 'userid'];
const FLAT_ID = ['principal_id', 'principal', 'subject', 'user_id', 'uid', 'operator_id', 'wecom_userid', 'visitor_uid'];
const TENANT = ['tenant', 'tenant_id', 'org_id', 'workspace_id'];
const OBJECT_AUDIENCE = ['audience', 'kind', 'type'];
const FLAT_AUDIENCE = ['audience', 'principal_type', 'user_type'];

/** Null where no id is found. `channel` is the client's `app_id`, or `admin`. */
export function principalOf(metadata: Members, channel: string, clientAppId: string | undefined): Principal | null {
  const object = [metadata.principal, metadata.subject, metadata.operator].find(isObject);
  const from = object ?? metadata;
  const id = first(from, object ? OBJECT_ID : FLAT_ID, 128);
  if (id === undefined) return null;
  const tenant = first(from, TENANT, 128);
  const audience = first(from, object ? OBJECT_AUDIENCE : FLAT_AUDIENCE, 64);
  return {
    id,
    ...(tenant !== undefined && { tenant }),
    roles: rolesOf(from.roles ?? from.role),
    ...(audience !== undefined && { audience }),
    channel: channel.slice(0, 128),
    ...(clientAppId !== undefined && { client_app_id: clientAppId.slice(0, 128) }),
  };
}

function isObject(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Only strings and numbers count; trimmed; the first non-empty wins. */
function first(from: Members, keys: readonly string[], max: number): string | undefined {
  for (const key of keys) {
    const text = Object.hasOwn(from, key) ? scalar(from[key]) : '';
    if (text !== '') return text.slice(0, max);
  }
  return undefined;
}

function scalar(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function rolesOf(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : scalar(value).split(',');
  return list
    .map(scalar)
    .filter((role) => role !== '')
    .map((role) => role.slice(0, 64))
    .slice(0, 100);
}
