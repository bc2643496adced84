/** Admin path → area (WIRE §1.5); reading asks for `<area>:read`, anything else for `<area>:write`. */
const AREAS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['projects', 'routes', 'clients', 'credentials', 'kb', 'targets', 'channels'].map((name) => [name, name])),
  'storage-buckets': 'storage',
  'tool-providers': 'tools',
  'alert-rules': 'channels',
  ...Object.fromEntries(
    ['runs', 'executors', 'executor-tokens', 'tool-approvals', 'delivery-dlq', 'unresolved'].map((name) => [name, 'runs']),
  ),
  'chat-entries': 'routes',
  'page-contexts': 'routes',
};

/** Paths with one permission for everything. */
const EXACT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['threads', 'status', 'dispatch-status', 'cost', 'chat-ratings'].map((name) => [name, 'runs:read'])),
  ...Object.fromEntries(['config-audit', 'config-diagnostics', 'config-schemas', 'smoke', 'version'].map((name) => [name, 'audit:read'])),
  admins: 'admins:manage',
  'instance-branding': 'admins:manage',
  stops: 'system:write',
  explain: 'tools:read',
  diagnostics: 'audit:read',
};

/**
 * What an administrator needs for a request; null where any will do. What is not listed needs `*`, so that a path nobody thought of is closed.
 */
export function permissionFor(method: string, path: string): string | null {
  if (path === '/admin/api/me' || path === '/admin/api/password' || path === '/admin/logout') return null;
  if (path === '/admin/pause' || path === '/admin/resume') return 'system:write';
  const read = method === 'GET' || method === 'HEAD';
  if (read && /^\/jobs\/[^/]+(?:\/events)?$/.test(path)) return 'runs:read';
  const name = /^\/admin\/api\/([^/]+)/.exec(path)?.[1] ?? '';
  // A secret in the clear, and who works where, are no reading matter.
  if (read && /\/(?:token|secret)$/.test(path)) return AREAS[name] === undefined ? '*' : `${AREAS[name]}:write`;
  const exact = Object.hasOwn(EXACT, name) ? EXACT[name] : undefined;
  const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined;
  return exact ?? (area === undefined ? '*' : `${area}:${read ? 'read' : 'write'}`);
}

/** Whether these permissions hold that one. */
export function permits(perms: readonly string[], needed: string | null): boolean {
  return needed === null || perms.includes('*') || perms.includes(needed);
}
