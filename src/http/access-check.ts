import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RouteTable } from './route-table.js';

/** Stops the boot when a route does not say who may call it: forgetting to decide must not mean "everybody". */
@Injectable()
export class AccessCheck implements OnApplicationBootstrap {
  constructor(private readonly routes: RouteTable) {}

  onApplicationBootstrap(): void {
    const undeclared = this.routes.routes().filter((route) => route.access === null);
    if (undeclared.length === 0) return;
    const names = undeclared.map((route) => `${route.method} ${route.path} (${route.handler})`);
    throw new Error(`Routes without an access declaration: ${names.join(', ')}`);
  }
}
