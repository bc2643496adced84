import type { ServiceRef } from '@bailing/plugin-api';

/** A service the host brings. */
export interface HostService {
  readonly ref: ServiceRef<unknown>;
  /** Called once per plugin that needs it. */
  readonly make: (plugin: string) => unknown;
  /** A plugin may offer another instead. */
  readonly replaceable: boolean;
}

/** The same value for everybody. */
export function hostService<T>(ref: ServiceRef<T>, value: NoInfer<T>, options: { readonly replaceable?: boolean } = {}): HostService {
  return { ref, make: () => value, replaceable: options.replaceable ?? false };
}

/** One value per plugin, such as its log or its own records. */
export function hostServicePerPlugin<T>(ref: ServiceRef<T>, make: (plugin: string) => NoInfer<T>): HostService {
  return { ref, make, replaceable: false };
}
