import { expect } from '@jest/globals';
import supertest, { type Response, type Test as Call } from 'supertest';
import { publicId, uuidOf, type IdPrefix } from '../../src/platform/kernel/index.js';
import { sheetOf, subjectTypes } from '../../src/sheets.js';
import type { Answer } from './answers.js';
import type { TestClient, TestOperator } from './api.js';
import type { TestApp } from './app.js';
import { Judge } from './fuzz/verdict.js';
import { bodySchema, documentedRoutes, exampleOf, pathOf, type DocumentedRoute } from './openapi.js';

/** Who calls, and how the audit trail names them. */
export interface Walker {
  readonly headers: Readonly<Record<string, string>>;
  readonly actor: string | ((answered: never) => string);
}

export const asOperator = ({ id, token }: Pick<TestOperator, 'id' | 'token'>): Walker => ({
  headers: { authorization: `Bearer ${token}` },
  actor: `operator:${id}`,
});
export const asClient = ({ id, clientId, clientSecret }: TestClient): Walker => ({
  headers: { 'x-client-id': clientId, 'x-client-secret': clientSecret },
  actor: `client:${id}`,
});
/** Without credentials; whom the trail names is told by the link or the login that the call carries. */
export const as = (actor: Walker['actor']): Walker => ({ headers: {}, actor });

export interface Step {
  readonly by: Walker;
  /** Values of the path, in the order in which they stand there. */
  readonly at?: readonly string[];
  /** Without it the document's own example. */
  readonly body?: object;
  /** A file to send as multipart form. */
  readonly file?: Buffer;
  readonly form?: Readonly<Record<string, string>>;
  /** `type:id` of what the entry is about; without it what the path or the answer names. */
  readonly about?: string | ((data: never) => string | Promise<string>);
}

/** Routes that are not like all the others, each with the reason. */
export interface Declared {
  /** They write no entry. */
  readonly without: Readonly<Record<string, string>>;
  /** The entry is all that they write. */
  readonly alone: Readonly<Record<string, string>>;
}

/** The kind of subject that an id of the API stands for. */
const typeOf = new Map<string | undefined, string>(subjectTypes.map((type) => [sheetOf(type).id, type]));

export function subjectOf(id: unknown): string | null {
  if (typeof id !== 'string') return null;
  const prefix = id.slice(0, 3) as IdPrefix;
  const uuid = uuidOf(prefix, id);
  const type = typeOf.get(prefix);
  return type === undefined || uuid === null ? null : `${type}:${uuid}`;
}

/** An entry that a call has written, and which tables its transaction has changed beside the log. */
interface Written {
  readonly action: string;
  readonly actor: string;
  readonly subject: string;
  readonly changed: readonly string[];
}

/** A call that succeeded: the values of its path, its body or form, and what came back. */
export interface Exchange {
  readonly one: DocumentedRoute;
  readonly at: readonly string[];
  readonly sent: unknown;
  readonly answer: Answer;
}

// The log itself, and what a request leaves behind whatever it does.
const BESIDE =
  /^(audit_(entries|pending|leaves|nodes|logs|checkpoints|sweeps)|idempotency_keys|outbox.*|walk_changes)$/;

type Texts = Readonly<Record<string, string>>;

interface Summary {
  readonly customerId: string | null;
  readonly communication: object | null;
  readonly hits: readonly object[];
  readonly facts: readonly object[];
  readonly lines: readonly {
    readonly what: Texts;
    readonly before: Texts | null;
    readonly after: Texts | null;
  }[];
}

/**
 * Calls one route after the other, each as somebody would who uses it, and proves of each that it wrote an entry that names
 * the actor and the subject, in the transaction that changed what the entry tells of.
 */
export class Walk {
  /** The routes that were called with success, with the actions of their entries. */
  readonly taken = new Map<string, readonly string[]>();
  readonly exchanges: Exchange[] = [];
  /** The summaries of the requests by act, as somebody of the organisation reads them. */
  readonly summaries = new Map<string, Summary[]>();
  private calls = 0;
  private lastRequest = '00000000-0000-0000-0000-000000000000';

  private constructor(
    private readonly t: TestApp,
    readonly routes: ReadonlyMap<string, DocumentedRoute>,
    private readonly declared: Declared,
    readonly judge: Judge,
  ) {}

  static async over(t: TestApp, declared: Declared): Promise<Walk> {
    const routes = await documentedRoutes(t);
    await noteChanges(t);
    const judge = new Judge([...new Set(routes.map(({ document }) => document))]);
    return new Walk(t, new Map(routes.map((one) => [nameOf(one), one])), declared, judge);
  }

  /** Every route that may change something. */
  get mutating(): readonly string[] {
    return [...this.routes.keys()].filter((name) => !/^(GET|HEAD|OPTIONS) /.test(name));
  }

  /**
   * Takes a route: its entry names the caller and the subject, and stands in the transaction of the change. What it answers
   * is checked for success and returned.
   */
  async take<T = { id: string }>(name: string, step: Step): Promise<T> {
    const one = this.routes.get(name);
    if (!one) throw new Error(`there is no route ${name}`);
    const requestId = `walk-${++this.calls}`;
    const sent = sentBy(one, step);
    const answer = await this.call(one, step, sent).set('x-request-id', requestId);
    const { data } = answer.body as { data?: T };
    const error = (answer.body as { error?: unknown }).error ?? null;
    expect([name, answer.status < 300, error]).toEqual([name, true, null]);
    const findings = this.judge.findings(one, { path: one.template, body: null }, answer);
    expect([name, findings]).toEqual([name, []]);
    this.exchanges.push({ one, at: step.at ?? [], sent, answer });
    await this.readSummaries(step);
    const written = await this.writtenBy(requestId);
    this.taken.set(name, [...(this.taken.get(name) ?? []), ...written.map(({ action }) => action)]);
    if (this.declared.without[name] !== undefined) {
      expect([name, written]).toEqual([name, []]);
      return data as T;
    }
    const subject = await subjectFor(step, data, answer);
    const { actor } = step.by;
    const caller = typeof actor === 'string' ? actor : actor(data as never);
    const own = written.filter((each) => each.subject === subject && each.actor === caller);
    expect([name, own.length > 0 ? [] : [`none of ${caller} about ${subject}`, ...written]]).toEqual([
      name,
      [],
    ]);
    const changed = own.flatMap((each) => each.changed);
    expect([name, changed.length > 0]).toEqual([name, this.declared.alone[name] === undefined]);
    return data as T;
  }

  /** Reads what the request of a step says of its object, as somebody of the organisation sees it. */
  private async readSummaries({ by }: Step): Promise<void> {
    const { rows } = await this.t.owner.query<{ id: string }>(
      'SELECT id FROM approvals WHERE id > $1 ORDER BY id',
      [this.lastRequest],
    );
    for (const { id } of rows) {
      this.lastRequest = id;
      const path = `/operator/approvals/${publicId('apr', id)}`;
      const { status, body } = await supertest(this.t.url).get(path).set(by.headers);
      if (status !== 200) continue;
      const { act, summary } = (body as { data: { act: string; summary: Summary } }).data;
      this.summaries.set(act, [...(this.summaries.get(act) ?? []), summary]);
    }
  }

  private call(one: DocumentedRoute, { by, at = [], file, form }: Step, sent: unknown): Call {
    const method = one.method as 'post' | 'put' | 'patch' | 'delete';
    const names = [...one.template.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name ?? '');
    const path = pathOf(one, Object.fromEntries(names.map((name, i) => [name, at[i] ?? 'missing'])));
    const call = supertest(this.t.url)[method](path).set(by.headers);
    if (file) {
      for (const [field, value] of Object.entries(form ?? {})) void call.field(field, value);
      return call.attach('file', file, 'file');
    }
    return sent === undefined ? call : call.send(sent as object);
  }

  private async writtenBy(requestId: string): Promise<readonly Written[]> {
    const { rows } = await this.t.owner.query<{ canonical: string; changed: string[] }>(
      `SELECT convert_from(e.canonical, 'UTF8') AS canonical,
         ARRAY(SELECT DISTINCT c.name FROM walk_changes c WHERE c.xid = e.xmin::text ORDER BY 1) AS changed
       FROM audit_entries e WHERE convert_from(e.canonical, 'UTF8')::json ->> 'requestId' = $1
       ORDER BY e.recorded_at`,
      [requestId],
    );
    return rows.map(({ canonical, changed }) => ({
      ...(JSON.parse(canonical) as Omit<Written, 'changed'>),
      changed: changed.filter((table) => !BESIDE.test(table)),
    }));
  }
}

function sentBy({ document, operation }: DocumentedRoute, { body, file, form }: Step): unknown {
  if (file) return { ...form, file };
  const schema = bodySchema(operation);
  return body ?? (schema ? exampleOf(document, schema) : undefined);
}

export const nameOf = ({ route }: Pick<DocumentedRoute, 'route'>): string => `${route.method} ${route.path}`;

async function subjectFor({ about, at = [] }: Step, data: unknown, answer: Response): Promise<string> {
  const named = typeof about === 'function' ? await about(data as never) : about;
  const found =
    named ??
    at.map(subjectOf).find((one) => one !== null) ??
    subjectOf((data as { id?: unknown } | null)?.id);
  if (found === null) throw new Error(`what is the entry about? ${answer.text}`);
  return found;
}

/** Notes for each transaction which tables it has changed. */
async function noteChanges(t: TestApp): Promise<void> {
  await t.owner.query('CREATE TABLE walk_changes (xid text NOT NULL, name text NOT NULL)');
  await t.owner.query(
    `CREATE FUNCTION walk_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
     BEGIN
       INSERT INTO walk_changes VALUES (pg_current_xact_id()::xid::text, TG_ARGV[0]);
       RETURN NULL;
     END $$`,
  );
  const { rows } = await t.owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  for (const { name } of rows.filter((table) => !BESIDE.test(table.name))) {
    await t.owner.query(
      `CREATE TRIGGER walk_note AFTER INSERT OR UPDATE OR DELETE ON ${name}
       FOR EACH ROW EXECUTE FUNCTION walk_note('${name}')`,
    );
  }
}
