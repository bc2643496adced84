/** `orders` → `order`, `copies` → `copy`. */
export function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ches|shes|sses|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/**
 * Light stemming: joins `cancelled` with `cancel` and `updating` with `update`, on purpose no more. A stem need not be a word; both sides
 * of every comparison go through here.
 */
export function stem(word: string): string {
  const plain = singular(word);
  const base = plain.replace(/(ing|ed)$/, '');
  const cut = base !== plain && base.length >= 3 && /[aeiouy]/.test(base) ? base.replace(/([b-df-hj-np-tvxz])\1$/, '$1') : plain;
  return cut.length >= 4 ? cut.replace(/e$/, '') : cut;
}
