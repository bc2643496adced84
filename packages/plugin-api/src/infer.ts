/**
 * The TypeScript type of the values a JSON Schema literal admits, for the keywords a plugin's configuration uses:
 * type, enum, const, properties, required, default, items. Anything else reads as `unknown`.
 * A property is present after configuration when it is required or has a default.
 */
export type Infer<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'number' | 'integer' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'null' }
            ? null
            : S extends { readonly type: 'array'; readonly items: infer I }
              ? readonly Infer<I>[]
              : S extends { readonly type: 'object'; readonly properties: infer P }
                ? Flat<{ readonly [K in Present<S, P>]: Infer<P[K]> } & { readonly [K in Exclude<keyof P, Present<S, P>>]?: Infer<P[K]> }>
                : S extends { readonly type: 'object' }
                  ? Readonly<Record<string, unknown>>
                  : unknown;

type Required<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
type Defaulted<P> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P];
type Present<S, P> = (Required<S> & keyof P) | Defaulted<P>;
type Flat<T> = { [K in keyof T]: T[K] };
