/** Reads numbers of a recording; whoever reads checks the borders first. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Four letters, as containers name their parts. */
export function fourAt(view: DataView, at: number): string {
  return at + 4 > view.byteLength ? '' : lettersAt(view, at, 4);
}

export function lettersAt(view: DataView, at: number, length: number): string {
  let text = '';
  for (let n = at; n < Math.min(at + length, view.byteLength); n++) text += String.fromCharCode(view.getUint8(n));
  return text;
}
