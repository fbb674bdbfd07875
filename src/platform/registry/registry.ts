import { Injectable, SetMetadata, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';

/** A registered method; `owner` is `Class.method`. */
export interface RegisteredMethod<P extends unknown[], R> {
  readonly owner: string;
  readonly call: (...given: P) => R;
}

/** A method decorator for methods of type `(...P) => R`. The module that declares it looks methods up by their key. */
export interface Registration<P extends unknown[], R, K> {
  (
    key: K,
  ): <M extends (...given: P) => R>(
    target: object,
    property: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ) => void;
  readonly title: string;
  /** The registered methods per registry: a test process has several applications. */
  readonly found: WeakMap<Registry, ReadonlyMap<K, RegisteredMethod<P, R>>>;
}

/** A method of a provider with metadata of its own. */
interface DecoratedMethod {
  readonly owner: string;
  readonly instance: object;
  readonly method: (...given: unknown[]) => unknown;
}

const declarations: ((registry: Registry) => void)[] = [];

/** Makes a method decorator: one method per key, or a single method without a key. */
export function registration<M extends (...given: never[]) => unknown, K = void>(
  title: string,
): Registration<Parameters<M>, ReturnType<M>, K> {
  const decorator = Object.assign((key: K) => SetMetadata(title, { key }), {
    title,
    found: new WeakMap<Registry, ReadonlyMap<K, RegisteredMethod<Parameters<M>, ReturnType<M>>>>(),
  });
  declarations.push((registry) => registry.methodsOf(decorator));
  return decorator;
}

/** Finds the provider methods that carry a decorator made by `registration`. */
@Injectable()
export class Registry implements OnModuleInit {
  private decoratedMethods: readonly DecoratedMethod[] | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Runs when all providers exist. Two methods for one key stop the start. */
  onModuleInit(): void {
    for (const find of declarations) find(this);
  }

  methodsOf<P extends unknown[], R, K>(
    decorator: Registration<P, R, K>,
  ): ReadonlyMap<K, RegisteredMethod<P, R>> {
    const methods = decorator.found.get(this);
    if (methods) return methods;
    const found = new Map<K, RegisteredMethod<P, R>>();
    for (const { owner, instance, method } of (this.decoratedMethods ??= this.findDecorated())) {
      const metadata = this.reflector.get<{ readonly key: K } | undefined>(decorator.title, method);
      if (!metadata) continue;
      const other = found.get(metadata.key)?.owner;
      if (other) throw new Error(`${decorator.title} ${String(metadata.key)}: both ${other} and ${owner}`);
      found.set(metadata.key, { owner, call: (...given) => method.apply(instance, given) as R });
    }
    decorator.found.set(this, found);
    return found;
  }

  /** Looks at each method once: there are thousands, and some dozens of decorators look for theirs. */
  private findDecorated(): DecoratedMethod[] {
    const decoratedMethods: DecoratedMethod[] = [];
    for (const wrapper of this.discovery.getProviders()) {
      const instance = wrapper.instance as Record<string, unknown> | null | undefined;
      // An alias (`useExisting`) would be found a second time.
      if (!instance || wrapper.isAlias || typeof wrapper.metatype !== 'function') continue;
      const prototype = Object.getPrototypeOf(instance) as object | null;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const method = instance[name];
        if (typeof method !== 'function' || Reflect.getMetadataKeys(method).length === 0) continue;
        decoratedMethods.push({
          owner: `${wrapper.name}.${name}`,
          instance,
          method: method as DecoratedMethod['method'],
        });
      }
    }
    return decoratedMethods;
  }
}
