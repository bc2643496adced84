// tsyringe needs its metadata polyfill loaded first. This is the only file that knows either of them.
import 'reflect-metadata';
import { container, type DependencyContainer } from 'tsyringe';

/**
 * Named values with privacy: a child sees its parent's, a parent never sees its child's. tsyringe takes a second value for
 * a name in silence, so uniqueness is kept here.
 */
export class Services {
  readonly #container: DependencyContainer;
  readonly #names = new Set<string>();

  private constructor(parent: DependencyContainer) {
    this.#container = parent.createChildContainer();
  }

  /** A fresh root: nothing is shared with other kernels of this process. */
  static create(): Services {
    return new Services(container);
  }

  child(): Services {
    return new Services(this.#container);
  }

  /** Throws where this very container has the name already; a child may shadow its parent. */
  register(name: string, value: unknown): void {
    if (this.#names.has(name)) throw new Error(`the service ${name} is registered twice`);
    this.#names.add(name);
    this.#container.register(name, { useValue: value });
  }

  has(name: string): boolean {
    return this.#container.isRegistered(name, true);
  }

  /** Throws where neither this container nor a parent has the name. */
  resolve(name: string): unknown {
    return this.#container.resolve<unknown>(name);
  }
}
