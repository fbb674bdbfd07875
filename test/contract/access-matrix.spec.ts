import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  permissionsOfRole,
  roles,
  scopes,
  strongPermissions,
  type Role,
} from '../../src/platform/http/index.js';
import { uuidOf, type IdPrefix } from '../../src/platform/kernel/index.js';
import type { Answer, ErrorBody } from '../support/answers.js';
import type { TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { again, laterBlock, someInFirst } from '../support/needs.js';
import {
  bodySchema,
  documentedRoutes,
  exampleOf,
  isObjectSchema,
  pathOf,
  resolved,
  type Schema,
  type DocumentedRoute,
} from '../support/openapi.js';
import { send } from '../support/raw-http.js';

let t: TestApp;
let routes: readonly DocumentedRoute[];
let organisationId: string;

beforeAll(async () => {
  t = await startTestApp();
  routes = await documentedRoutes(t);
  ({ organisationId } = await t.client());
});

afterAll(async () => {
  await t.close();
});

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
type Credentials = Readonly<Record<string, string>>;
const NOBODY: Credentials = {};
const ofClient = ({ clientId, clientSecret }: TestClient): Credentials => ({
  'x-client-id': clientId,
  'x-client-secret': clientSecret,
});
const ofOperator = ({ token }: TestOperator): Credentials => ({ authorization: `Bearer ${token}` });

/** Calls a route with what its document gives as example, or with what `of` makes of it. */
async function call(
  one: DocumentedRoute,
  credentials: Credentials,
  values: Readonly<Record<string, string>> = {},
  of: (example: unknown) => unknown = (example) => example,
): Promise<Answer> {
  const schema = bodySchema(one.operation);
  const body = schema && JSON.stringify(of(exampleOf(one.document, schema)));
  return send(t.url + pathOf(one, values), {
    method: one.route.method,
    headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    agent,
    ...(body === undefined ? {} : { body }),
  });
}

/** The paths in the body of a route at which its document has a list of objects. */
function listsOfObjects({ operation, document }: DocumentedRoute): string[][] {
  const below = (given: Schema, at: readonly string[]): string[][] =>
    Object.entries((resolved(document, given)['properties'] ?? {}) as Record<string, Schema>).flatMap(
      ([name, member]) => {
        const own = resolved(document, member);
        if (own['type'] !== 'array') return below(own, [...at, name]);
        const items = resolved(document, (own['items'] ?? {}) as Schema);
        return isObjectSchema(items) ? [[...at, name]] : [];
      },
    );
  const schema = bodySchema(operation);
  return schema ? below(schema, []) : [];
}

/** A copy of an example with another value at a path. */
function withAt(example: unknown, [name = '', ...rest]: readonly string[], value: unknown): object {
  const members = { ...(example as Readonly<Record<string, unknown>> | null) };
  return { ...members, [name]: rest.length === 0 ? value : withAt(members[name] ?? {}, rest, value) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const codeOf = ({ body }: Answer): string | null =>
  (body as { error?: ErrorBody | null } | null)?.error?.code ?? null;
const nameOf = ({ route }: DocumentedRoute): string => `${route.method} ${route.path}`;
const REFUSALS = [
  'CREDENTIALS_MISSING',
  'CREDENTIALS_INVALID',
  'TOKEN_EXPIRED',
  'SCOPE_INSUFFICIENT',
  'PERMISSION_DENIED',
  'STRONG_LOGIN_REQUIRED',
];

/** Returns the routes that answered but should have refused, or refused but should not; in words, one line each. */
async function deviations(
  chosen: (one: DocumentedRoute) => boolean,
  credentials: (one: DocumentedRoute) => Credentials | Promise<Credentials>,
  expected: (one: DocumentedRoute) => string | null,
): Promise<string[]> {
  const lines: string[] = [];
  let tried = 0;
  for (const one of routes.filter(chosen)) {
    tried += 1;
    const answer = await call(one, await credentials(one));
    const code = codeOf(answer);
    const refused = code !== null && REFUSALS.includes(code) ? code : null;
    const wanted = expected(one);
    if (refused !== wanted || answer.status >= 500) {
      lines.push(`${nameOf(one)}: ${answer.status} ${code ?? ''}, expected ${wanted ?? 'to be let in'}`);
    }
  }
  expect(tried).toBeGreaterThan(0);
  return lines;
}

const isFor =
  (...kinds: string[]) =>
  ({ route }: DocumentedRoute): boolean =>
    kinds.includes(route.access?.kind ?? 'undeclared');

describe('every route of the service', () => {
  it('declares who may call it, and stands in the OpenAPI document', () => {
    // ASVS 8.3.1
    expect(routes.filter(({ route }) => route.access === null).map(nameOf)).toEqual([]);
    expect(routes.length).toBeGreaterThan(40);
  });

  it('without credentials: 401 unless it is public or for probes', async () => {
    const lines = await deviations(
      isFor('client', 'operator', 'internal'),
      () => NOBODY,
      ({ route }) => (route.access?.kind === 'internal' ? null : 'CREDENTIALS_MISSING'),
    );
    expect(lines).toEqual([]);
  });

  it('public routes need nothing that they do not ask for in the body', async () => {
    for (const one of routes.filter(isFor('public'))) {
      const answer = await call(one, NOBODY);
      expect([nameOf(one), answer.status < 500]).toEqual([nameOf(one), true]);
      expect([nameOf(one), codeOf(answer)]).not.toEqual([nameOf(one), 'PERMISSION_DENIED']);
    }
  });

  it('an application with every scope but the right one: 403 SCOPE_INSUFFICIENT', async () => {
    // ASVS 8.2.1
    const without = new Map<string, TestClient>();
    for (const scope of scopes) {
      without.set(scope, await t.client({ scopes: scopes.filter((other) => other !== scope), rules: false }));
    }
    const lines = await deviations(
      isFor('client'),
      ({ route }) => {
        const client = route.access?.kind === 'client' ? without.get(route.access.scope) : undefined;
        if (!client) throw new Error('a route with a scope that does not exist');
        return ofClient(client);
      },
      () => 'SCOPE_INSUFFICIENT',
    );
    expect(lines).toEqual([]);
  });

  it('an application with the right scope alone is let in', async () => {
    const holding = new Map<string, TestClient>();
    for (const scope of scopes) holding.set(scope, await t.client({ scopes: [scope] }));
    const lines = await deviations(
      isFor('client'),
      ({ route }) => {
        const client = route.access?.kind === 'client' ? holding.get(route.access.scope) : undefined;
        if (!client) throw new Error('a route with a scope that does not exist');
        return ofClient(client);
      },
      () => null,
    );
    expect(lines).toEqual([]);
  });

  it('a list is no body where the document has an object, be it empty or of right ones', async () => {
    // ASVS 2.2.1
    const client = ofClient(await t.client({ scopes: [...scopes] }));
    const operator = ofOperator(await t.operator({ roles: [...roles], organisationId }));
    const withObject = routes.filter(({ operation, document }) => {
      const schema = bodySchema(operation);
      // A body without members is not read.
      const object = schema && resolved(document, schema);
      return object && isObjectSchema(object) && Object.keys(object['properties'] ?? {}).length > 0;
    });
    expect(withObject.length).toBeGreaterThan(100);
    const taken: unknown[] = [];
    for (const one of withObject) {
      const kind = one.route.access?.kind;
      const credentials = kind === 'client' ? client : kind === 'operator' ? operator : NOBODY;
      for (const list of [() => [], (example: unknown) => [example]]) {
        const { status, body } = await call(one, credentials, {}, list);
        const { error } = body as { error: ErrorBody | null };
        const isRefused =
          status === 400 &&
          error?.details.some(
            ({ path, code, message, ...more }) =>
              path === '' && code === 'TYPE_INVALID' && message !== '' && Object.keys(more).length === 0,
          );
        if (!isRefused) taken.push([one.method, one.template, status, error]);
      }
    }
    expect(taken).toEqual([]);
  });

  it('a list is no item of a list of objects', async () => {
    // ASVS 2.2.1
    const client = ofClient(await t.client({ scopes: [...scopes] }));
    const operator = ofOperator(await t.operator({ roles: [...roles], organisationId }));
    const taken: unknown[] = [];
    let tried = 0;
    for (const one of routes) {
      const kind = one.route.access?.kind;
      const credentials = kind === 'client' ? client : kind === 'operator' ? operator : NOBODY;
      for (const path of listsOfObjects(one)) {
        tried += 1;
        const { status, body } = await call(one, credentials, {}, (example) => withAt(example, path, [[]]));
        const { error } = body as { error: ErrorBody | null };
        if (status !== 400) taken.push([one.method, one.template, path, status, error]);
      }
    }
    expect(tried).toBeGreaterThan(10);
    expect(taken).toEqual([]);
  });

  it('a client credential opens no operator route, and an operator token no integrator route', async () => {
    const client = ofClient(await t.client({ scopes: [...scopes] }));
    const operator = ofOperator(await t.operator({ roles: [...roles], organisationId }));
    expect(
      await deviations(
        isFor('operator'),
        () => client,
        () => 'CREDENTIALS_MISSING',
      ),
    ).toEqual([]);
    expect(
      await deviations(
        isFor('client'),
        () => operator,
        () => 'CREDENTIALS_MISSING',
      ),
    ).toEqual([]);
  });

  /** One operator for all calls but those about itself, which may end its session. */
  const operators = (role: Role): ((one: DocumentedRoute) => Promise<Credentials>) => {
    const make = async (): Promise<Credentials> =>
      ofOperator(await t.operator({ roles: [role], organisationId }));
    const lasting = make();
    return ({ route }) => (/^\/operator\/(auth|me)\//.test(route.path) ? make() : lasting);
  };

  again.each(someInFirst(roles, 2))('%s: exactly the permissions of the role', async (role) => {
    // ASVS 8.2.1
    const lines = await deviations(isFor('operator'), operators(role), ({ route }) => {
      const permission = route.access?.kind === 'operator' ? route.access.permission : null;
      return permission === null || permissionsOfRole[role].includes(permission) ? null : 'PERMISSION_DENIED';
    });
    expect(lines).toEqual([]);
  });

  it('decisions, exports, secrets and the like need a second factor', async () => {
    // ASVS 6.3.3, 10.3.4
    const lines = await deviations(
      (one) => isFor('operator')(one) && strongOf(one),
      async () => ofOperator(await t.operator({ roles: [...roles], organisationId, strong: false })),
      () => 'STRONG_LOGIN_REQUIRED',
    );
    expect(lines).toEqual([]);
  });

  const strongOf = ({ route }: DocumentedRoute): boolean =>
    route.access?.kind === 'operator' &&
    route.access.permission !== null &&
    strongPermissions.has(route.access.permission);
});

// Each row of one tenant at each route of another: the first stage has a row of each kind, in tenants.spec.ts.
laterBlock('another organisation', () => {
  /** Rows of every table that an organisation owns, one of each. */
  async function rowsOf(owner: string): Promise<Map<string, string>> {
    const { rows } = await t.owner.query(
      `SELECT c.table_name AS name FROM information_schema.columns c
       JOIN information_schema.columns o ON o.table_name = c.table_name AND o.column_name = 'organisation_id'
       JOIN information_schema.tables b ON b.table_name = c.table_name AND b.table_type = 'BASE TABLE'
       WHERE c.table_schema = 'public' AND c.column_name = 'id' AND c.data_type = 'uuid'`,
    );
    const found = new Map<string, string>();
    for (const { name } of rows as { name: string }[]) {
      const row = await t.owner.query(`SELECT id FROM ${name} WHERE organisation_id = $1 LIMIT 1`, [owner]);
      const [first] = row.rows as { id: string }[];
      if (first) found.set(name, first.id);
    }
    return found;
  }

  const masked = (answer: Answer, id: string): string => {
    const { error } = answer.body as { error?: ErrorBody | null };
    return `${answer.status} ${answer.text
      .replaceAll(error?.requestId ?? '-', '')
      .replaceAll(error?.correlationId ?? '-', '')
      .replaceAll(id, 'ID')}`;
  };

  it('finds what is ours as little as what never existed, on every route with an id', async () => {
    // ASVS 8.2.2
    const mine = await t.client({ scopes: [...scopes] });
    const admin = await t.operator({ roles: [...roles], organisationId: mine.organisationId });
    const as = t.api.as(mine);
    await as.ingest(aTransaction()).expect(202);
    await t.api
      .asOperator(admin)
      .post('/operator/client-apps')
      .send({ name: 'mine', publicName: 'Mine' })
      .expect(201);
    await as.post('/webhook-endpoints').send({ url: 'https://hooks.loja.example/in' });
    const rows = await eventually('something of ours is there', async () => {
      const found = await rowsOf(mine.organisationId);
      return found.has('kyt_transactions') && found.has('client_apps') && found;
    });
    const theirs = await t.client({ scopes: [...scopes] });
    const theirAdmin = await t.operator({ roles: [...roles], organisationId: theirs.organisationId });
    const lines: string[] = [];
    const seen = new Set<string>();
    for (const one of routes) {
      const parameters = (one.operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      for (const { name, example, schema } of parameters) {
        const [, prefix] = /^([a-z]{3})_[0-9a-f]{32}$/.exec(textOf(example ?? schema?.['example'])) ?? [];
        if (prefix === undefined || one.route.access?.kind === 'public') continue;
        seen.add(prefix);
        const stranger = one.route.access?.kind === 'client' ? ofClient(theirs) : ofOperator(theirAdmin);
        const render = (uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;
        const never = render(randomUUID());
        const nothing = masked(await call(one, stranger, { [name]: never }), never);
        for (const [table, uuid] of rows) {
          const id = render(uuid);
          const answer = masked(await call(one, stranger, { [name]: id }), id);
          if (answer !== nothing) {
            lines.push(`${nameOf(one)} with a row of ${table}: ${answer}, not ${nothing}`);
          }
        }
      }
    }
    expect(lines).toEqual([]);
    // The ids that the routes take are of the forms that the service gives out.
    for (const prefix of seen) {
      expect(uuidOf(prefix as IdPrefix, `${prefix}_${'0'.repeat(32)}`)).not.toBeNull();
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining(['app', 'sec']));
    expect(rows.size).toBeGreaterThan(3);
  }, 180_000);
});
