import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isOperatorPath, RouteTable, type DeclaredRoute } from '../route-table.js';

/**
 * Stops the start if a route does not declare who may call it (a forgotten declaration must not mean "everybody"), or
 * if its path is in the other API: routes for operators are below /operator, routes for clients are not.
 */
@Injectable()
export class AccessCheck implements OnApplicationBootstrap {
  constructor(private readonly routes: RouteTable) {}

  onApplicationBootstrap(): void {
    const routes = this.routes.routes();
    requireNone(
      'Routes without an access declaration',
      routes.filter((route) => route.access === null),
    );
    requireNone(
      'Routes of operators outside of /operator, or of others below it',
      routes.filter(({ access, path }) => {
        if (access?.kind === 'operator') return !isOperatorPath(path);
        return access?.kind === 'client' && isOperatorPath(path);
      }),
    );
  }
}

function requireNone(what: string, routes: readonly DeclaredRoute[]): void {
  if (routes.length === 0) return;
  const names = routes.map((route) => `${route.method} ${route.path} (${route.handler})`);
  throw new Error(`${what}: ${names.join(', ')}`);
}
