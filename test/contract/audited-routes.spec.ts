import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actNames, policyOf } from '../../src/features/approvals/index.js';
import { onePersonRoutes } from '../../tools/documents/approval-routes.js';
import { isOperatorPath } from '../../src/platform/http/index.js';
import type { DocumentedRoute } from '../support/openapi.js';
import type { Walk } from '../support/walk.js';
import { beginWalk, endWalk, ENTRY_ALONE, parts, WITHOUT_ENTRY } from '../support/walked-routes.js';

let walk: Walk;

beforeAll(async () => {
  ({ walk } = await beginWalk());
});

afterAll(endWalk);

it.each(parts)('%s', async (_, take) => {
  await take();
});

describe('the walk', () => {
  it('has come to every route that may change something, or says why there is no entry', () => {
    expect(walk.mutating.filter((name) => !walk.taken.has(name))).toEqual([]);
    const silent = [...walk.taken].filter(([, actions]) => actions.length === 0).map(([name]) => name);
    expect(silent.sort()).toEqual(Object.keys(WITHOUT_ENTRY).sort());
    const declared = [...Object.keys(WITHOUT_ENTRY), ...Object.keys(ENTRY_ALONE)];
    expect(declared.filter((name) => !walk.mutating.includes(name))).toEqual([]);
  });
});

describe('The summary of a request', () => {
  it.each(actNames)('%s names what changes, in both languages', (act) => {
    const summaries = walk.summaries.get(act) ?? [];
    expect(summaries.length).toBeGreaterThan(0);
    for (const summary of summaries) {
      expect([act, summary]).not.toEqual([act, null]);
      const { customerId, communication, hits, facts, lines } = summary;
      const named = [customerId, communication, ...hits, ...facts, ...lines];
      expect([act, named.some((one) => one !== null)]).toEqual([act, true]);
      const texts = lines.flatMap(({ what, before, after }) =>
        [what, before, after].flatMap((text) => Object.values(text ?? {})),
      );
      expect(texts.filter((text) => text === '' || /undefined|null|\[object/.test(text))).toEqual([]);
    }
  });
});

describe('Every operator route that changes something', () => {
  let changing: ReadonlyMap<string, DocumentedRoute>;

  beforeAll(() => {
    changing = new Map(
      [...walk.routes].filter(
        ([
          ,
          {
            route: { method, path },
          },
        ]) => isOperatorPath(path) && method !== 'GET',
      ),
    );
  });

  it('asks for an act, or says why one person is enough; and no table names a route that is not there', () => {
    const told = [...actNames.flatMap((act) => policyOf(act).routes), ...Object.keys(onePersonRoutes)];
    expect(told.toSorted()).toEqual([...changing.keys()].toSorted());
  });

  it.each(actNames)(
    '%s is asked for with the permission of the act, and the answer is the request',
    (act) => {
      expect(policyOf(act).routes.length).toBeGreaterThan(0);
      for (const name of policyOf(act).routes) {
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
