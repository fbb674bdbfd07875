import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actNames, policyOf } from '../../src/features/approvals/index.js';
import { askingRoutes, onePersonRoutes } from '../../tools/documents/approval-routes.js';
import { isOperatorPath } from '../../src/platform/http/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { documentedRoutes, type DocumentedRoute } from '../support/openapi.js';

let t: TestApp;
/** Every operator route that changes something, by its name in the tables. */
let changing: ReadonlyMap<string, DocumentedRoute>;

beforeAll(async () => {
  t = await startTestApp({ settings: { machineOperators: true } });
  const routes = await documentedRoutes(t);
  changing = new Map(
    routes
      .filter(({ route: { method, path } }) => isOperatorPath(path) && method !== 'GET')
      .map((one) => [`${one.route.method} ${one.route.path}`, one]),
  );
});

afterAll(async () => {
  await t.close();
});

describe('Every operator route that changes something', () => {
  it('asks for an act, or says why one person is enough; and no table names a route that is not there', () => {
    const told = [...Object.values(askingRoutes).flat(), ...Object.keys(onePersonRoutes)];
    expect(told.toSorted()).toEqual([...changing.keys()].toSorted());
  });

  it.each(actNames)(
    '%s is asked for with the permission of the act, and the answer is the request',
    (act) => {
      expect(askingRoutes[act].length).toBeGreaterThan(0);
      for (const name of askingRoutes[act]) {
        const { route, operation } = changing.get(name) ?? {};
        expect([name, route?.access]).toEqual([name, { kind: 'operator', permission: policyOf(act).ask }]);
        // Many at once have one answer, with the request of each.
        const [status, view] = operation?.responses['202']
          ? ['202', /ApprovalView|DiscardView/]
          : ['200', /BulkView/];
        expect([name, JSON.stringify(operation?.responses[status] ?? null)]).toEqual([
          name,
          expect.stringMatching(view),
        ]);
      }
    },
  );
});
