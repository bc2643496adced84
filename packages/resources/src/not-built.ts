/**
 * Fields of the contract (WIRE §18) that this version knows and does not carry out yet. A configuration that uses one is refused by name:
 * nothing is ignored in silence. Paths are written as in `routes[].tools.approval`.
 */
export const NOT_BUILT: Readonly<Record<string, string>> = Object.freeze({
  projects: 'projects',
  chat_entries: 'chat entries',
  page_contexts: 'page contexts',
  storage_buckets: 'storage buckets',
  'targets[].needs_project': 'projects',
  'channels[].route_key': 'incoming messages',
  'routes[].project': 'projects',
  'routes[].permission': 'permission preambles',
  'routes[].knowledge': 'knowledge bases',
  'routes[].tools.approval.to': 'approval notification through executors',
  'routes[].tools.sources[].retrieval': 'semantic retrieval',
  'routes[].target_config.input.video': 'video input',
  'tool_providers[].embed_credential': 'semantic retrieval',
  'tool_providers[].embed_model': 'semantic retrieval',
  'tool_providers[].embed_dim': 'semantic retrieval',
});

/** Values of known fields that are not carried out yet. */
export const NOT_BUILT_VALUES: readonly { readonly path: string; readonly value: unknown; readonly what: string }[] = Object.freeze([
  { path: 'credentials[].kind', value: 'embedding', what: 'embeddings' },
]);

/** Media that the contract reserves without naming them: each is refused by its name. */
const RESERVED_INPUT = /^routes\[\]\.target_config\.input\.(?!image$|audio$|file$)([^.[\]]{1,64})$/;

/** Every use of something not built in a value, as concrete paths. */
export function usesNotBuilt(value: unknown): readonly { readonly path: string; readonly what: string }[] {
  const found: { path: string; what: string }[] = [];
  visit(value, '', '', (concrete, general, at) => {
    const reserved = RESERVED_INPUT.exec(general)?.[1];
    const what =
      NOT_BUILT[general] ??
      (reserved === undefined ? undefined : `${reserved} input`) ??
      NOT_BUILT_VALUES.find((row) => row.path === general && row.value === at)?.what;
    if (what !== undefined) found.push({ path: concrete, what });
    return what === undefined;
  });
  return found;
}

function visit(
  value: unknown,
  concrete: string,
  general: string,
  enter: (concrete: string, general: string, value: unknown) => boolean,
): void {
  if (concrete !== '' && !enter(concrete, general, value)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => visit(item, `${concrete}[${String(index)}]`, `${general}[]`, enter));
  } else if (value !== null && typeof value === 'object' && general.split('.').length < 6) {
    for (const [key, member] of Object.entries(value))
      visit(member, concrete === '' ? key : `${concrete}.${key}`, general === '' ? key : `${general}.${key}`, enter);
  }
}
