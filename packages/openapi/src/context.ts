import type { SchemaLibrary } from './schema/library.js';
import type { Source } from './source.js';
import type { Members } from './values.js';

/** What compiling one document shares between its operations. */
export interface Context {
  readonly source: Source;
  readonly schemas: SchemaLibrary;
  /** Path of the document's own first server, without a trailing slash; the provider's base URL stands in its place. */
  readonly rootPath: string;
}

/** One operation, and where it and its path item really stand after references. */
export interface OperationPlace {
  /** Under `/paths`, unique in the document. */
  readonly pointer: string;
  /** As written. */
  readonly method: string;
  readonly path: string;
  readonly operation: Members;
  readonly operationPointer: string;
  readonly item: Members;
  /** Where a member of the path item stands: beside its `$ref`, or behind it. */
  readonly itemPlace: (member: string) => string;
  /** Not callable at all: a webhook or a callback. */
  readonly inbound?: boolean;
}
