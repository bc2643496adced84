export type Kind = 'pdf' | 'docx';

/** What the parsing process says on its standard output. */
export type Parsed =
  { readonly is: 'read'; readonly text: string; readonly pages?: number } | { readonly is: 'encrypted' } | { readonly is: 'damaged' };
