import { tokensOf } from '../pointer.js';

/** Line and column of one place, both from 1; the column counts UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The pointers somebody wants to find, as a tree; a scan writes the offsets it meets into it. */
export interface Wanted {
  readonly children: Map<string, Wanted>;
  offset?: number;
}

export function wantedTree(pointers: Iterable<string>): Wanted {
  const root: Wanted = { children: new Map(), offset: 0 };
  for (const pointer of pointers) {
    let here = root;
    for (const token of tokensOf(pointer)) {
      let next = here.children.get(token);
      if (!next) here.children.set(token, (next = { children: new Map() }));
      here = next;
    }
  }
  return root;
}

/** The offset of a pointer, or of its nearest ancestor that stands in the text (an alias or a merge hides what is below it). */
export function offsetOf(root: Wanted, pointer: string): number {
  let here: Wanted | undefined = root;
  let offset = 0;
  for (const token of tokensOf(pointer)) {
    here = here.children.get(token);
    if (here?.offset === undefined) break;
    offset = here.offset;
  }
  return offset;
}

/** Turns offsets into lines and columns; one pass over the text, then a search each. */
export function lineFinder(text: string): (offset: number) => Place {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
