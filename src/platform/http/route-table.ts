import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { ErrorCode } from '../kernel/index.js';
import { ACCESS, type Access } from './access/access.js';
import { READS, type PersonRecord } from './access/person-reads.js';
import { errorsOf } from './errors/api-errors.js';
import { maxBytesOf } from './body/body.guard.js';

export interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Access | null;
  readonly handler: string;
  /** The limit of the body in bytes; null if the handler reads the body itself. */
  readonly maxBytes: number | null;
  readonly errors: readonly ErrorCode[];
  /** The kind of record of a person that the route shows; null if it shows none. */
  readonly reads: PersonRecord | null;
}

/** True for a path of the operator API or the console. All other paths are for integrators. */
export const isOperatorPath = (path: string): boolean => /^\/(operator\/|console(\/|$))/.test(path);

/** True for a route that applications may call; false for operator paths, static files and metrics. */
export const isForIntegrators = ({ path, access }: DeclaredRoute): boolean =>
  !isOperatorPath(path) && access?.kind !== 'static' && path !== '/metrics';

/** Converts a route path to an OpenAPI path: `/operator/reviews/:id` and `/console/*screen` get braces. */
export const pathTemplate = (path: string): string => path.replace(/[:*]([A-Za-z]+)/g, '{$1}');

type Handler = (...parameters: never[]) => unknown;

/** Every route of the application as its controllers declare it. */
@Injectable()
export class RouteTable {
  private declaredRoutes: readonly (DeclaredRoute & { readonly pattern: RegExp })[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  routes(): readonly DeclaredRoute[] {
    return this.findRoutes();
  }

  /** Returns the methods of the routes that match a path; empty if no route does. */
  methodsFor(path: string): string[] {
    const methods = new Set(
      this.findRoutes().flatMap((route) => (route.pattern.test(path) ? route.method : [])),
    );
    // Express answers HEAD like GET, without the body.
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }

  /** Returns the methods of the routes that are declared with exactly this path, so without parameters. */
  methodsForWord(path: string): string[] {
    const wantedPath = `/${trimSlashes(path)}`;
    const found = this.findRoutes().flatMap((route) => (route.path === wantedPath ? route.method : []));
    const methods = new Set(found.includes('GET') ? [...found, 'HEAD'] : found);
    return [...methods].sort();
  }

  private findRoutes(): readonly (DeclaredRoute & { readonly pattern: RegExp })[] {
    this.declaredRoutes ??= this.discovery.getControllers().flatMap((wrapper) => {
      const type = wrapper.metatype;
      if (typeof type !== 'function') return [];
      const prototype = type.prototype as Record<string, Handler>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        if (!handler) return [];
        const method = this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
        if (method === undefined) return [];
        const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, type]) ?? null;
        const prefixes = asList(this.reflector.get<string | string[] | undefined>(PATH_METADATA, type));
        const paths = asList(this.reflector.get<string | string[] | undefined>(PATH_METADATA, handler));
        return prefixes.flatMap((prefix) =>
          paths.map((path) => {
            const full = `/${[prefix, path].map(trimSlashes).filter(Boolean).join('/')}`;
            return {
              method: RequestMethod[method],
              path: full,
              access,
              handler: `${wrapper.name}.${name}`,
              maxBytes: maxBytesOf(handler),
              errors: errorsOf(handler),
              reads: this.reflector.get<{ of: PersonRecord } | undefined>(READS, handler)?.of ?? null,
              pattern: patternOf(full),
            };
          }),
        );
      });
    });
    return this.declaredRoutes;
  }
}

const asList = (path: string | string[] | undefined): string[] => (Array.isArray(path) ? path : [path ?? '']);
const trimSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[A-Za-z]+/g, '[^/]+')
      .replace(/\*[A-Za-z]+/g, '.+')}/?$`,
    'i',
  );
