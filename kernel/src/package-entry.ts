const CONDITIONS = new Set(['import', 'node', 'module-sync', 'default']);

type Entry = { readonly file: string } | { readonly refused: string; readonly fix: string };

/** Which file a package.json says is its module; undefined where there is no package.json or it names none. */
export async function entryOfPackage(file: string, read: (file: string) => Promise<string>): Promise<Entry | undefined> {
  let text: string;
  try {
    text = await read(file);
  } catch {
    return undefined;
  }
  try {
    const { exports, main } = JSON.parse(text) as { readonly exports?: unknown; readonly main?: unknown };
    const named = exports === undefined ? main : chooseExport(exports);
    if (typeof named === 'string') return { file: named };
    return exports === undefined
      ? undefined
      : { refused: `${file} exports nothing for an import of ".".`, fix: 'Add the module to exports.' };
  } catch {
    return { refused: `${file} is not valid JSON.`, fix: 'Correct the file.' };
  }
}

/** The target of `.` for an ES import, with conditions in the order they are written, as Node does it. */
function chooseExport(exports: unknown): unknown {
  if (typeof exports === 'string') return exports;
  if (Array.isArray(exports)) return exports.map(chooseExport).find((target) => typeof target === 'string');
  if (typeof exports !== 'object' || exports === null) return undefined;
  if (Object.hasOwn(exports, '.')) return chooseExport((exports as { readonly '.': unknown })['.']);
  for (const [condition, target] of Object.entries(exports)) {
    const chosen = CONDITIONS.has(condition) ? chooseExport(target) : undefined;
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}
