import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { roles } from '../../src/platform/http/index.js';
import type { TestApi, TestOperator } from './api.js';
import type { TestApp } from './app.js';
import { Harvest } from './fuzz/harvest.js';
import { draft, outgoing, type Draft, type Target } from './fuzz/requests.js';
import { listed, placeOf, World, type Place } from './insider-world.js';
import { documentedRoutes, type DocumentedRoute } from './openapi.js';
import { send } from './raw-http.js';
import type { Exchange } from './walk.js';

/** The insider gets other customers and payments after so many sequences. */
const SEQUENCES_OF_A_WORLD = 20;
const MOST_CALLS = 6;

/** Acts about oneself end the own session, and say nothing about payments. */
const ABOUT_ONESELF = /^\/operator\/(auth|me)\b/;
/** Calls that may end the own access, or that of the application: they come last. */
const ENDS_ACCESS =
  /^((patch|post) \/operator\/operators\/\{id\}(\/(disable|enable|sessions\/end))?|delete \/operator\/client-apps\/\{id\})$/;
const ENDS_WORK =
  /^(patch \/operator\/client-apps\/\{id\}$|post \/operator\/(client-apps|webhook-endpoints)\/\{id\}\/(dis|en)able)/;
/** Calls that make what others are about. */
const MAKES_MORE = /\/(backtests|test|imports)$/;
/** Calls about many things at once leave nothing for those about one. */
const ABOUT_MANY = /\/(proposals|decisions|discards|replay)$/;
/** Acts by which no payment is judged otherwise. */
const ABOUT_ADMINISTRATION = new Set([
  'operator.invite',
  'operator.empower',
  'client_app.grant',
  'flow.publish',
  'provider.publish',
]);
/** Routes by which a case is closed, and those that change what it is about. */
const ABOUT_CASES = /^\/operator\/(reviews|hits)/;
/** Routes that may change how a payment is judged are taken more often. */
const ABOUT_PAYMENTS = /customers|reviews|hits|kyc-sessions|lists|freezes|approvals|transactions/;
/** The lists that a world shows at its beginning. */
const FIRST_READ =
  /^\/operator\/(reviews|hits|lists|client-apps|rulesets|operators|approvals|flows|transactions)$/;
/** Lists that are no ids of anything, or too long. */
const NOT_READ = /stream|metrics|export|search|template|openapi/;

export interface InsiderReport {
  readonly seed: number;
  readonly sequences: number;
  /** For each payment that a sequence released: what was called since the world began, readable, with the answers. */
  readonly released: readonly string[];
  /** Routes that never answered with success, with how they refused last. */
  readonly neverReached: readonly string[];
}

interface Named {
  readonly id: string;
}

interface WaitingRequest {
  readonly id: string;
  readonly digest: string;
  readonly act: string;
  readonly summary: { readonly hits: readonly unknown[]; readonly transactions: number | null } | null;
}

/** A call as it was drawn, with what the customers of its world were called. */
interface Step {
  readonly target: Target;
  readonly drawn: Draft;
  readonly names: readonly string[];
}

const nameOf = ({ method, template }: Pick<Target, 'method' | 'template'>): string =>
  `${method.toUpperCase()} ${template}`;

/** When a route is called in a tour: what creates first, what ends the most last. */
const turnOf = ({ method, template }: Target): number => {
  const route = `${method} ${template}`;
  if (ENDS_ACCESS.test(route)) return 4;
  if (ENDS_WORK.test(route)) return 3;
  if (method === 'delete') return 2;
  return template.includes('{') || ABOUT_MANY.test(template) ? 1 : 0;
};

/** Says whether no payment is judged otherwise when this is approved. */
const isHarmless = ({ act, summary }: WaitingRequest): boolean =>
  ABOUT_ADMINISTRATION.has(act) || (act === 'case.close' && summary !== null && !summary.transactions);

const roomOf = ({ template }: Target): string => template.split('/')[2] ?? '';

/**
 * Somebody with every role who acts alone, by whatever routes there are. With a colleague who approves each closing of a
 * case whose summary shows no hit, only the payment to somebody on a list must not pass.
 */
export class Insider {
  private readonly agent = new Agent({ keepAlive: true });
  private harvest: Harvest;
  private person: TestOperator | null = null;
  private world: World | null = null;
  private script: string[] = [];
  /** The calls of this world that were not refused. */
  private steps: Step[] = [];
  private readonly reached = new Set<string>();
  /** The newest refusal of each route. */
  private readonly refused = new Map<string, string>();

  private constructor(
    private readonly t: TestApp,
    private readonly targets: readonly Target[],
    private readonly read: readonly string[],
    private place: Place,
    private readonly hasColleague: boolean,
  ) {
    this.harvest = new Harvest(targets);
  }

  /** Begins in an organisation of its own, unless one is named; `sent` are bodies that others sent with success there. */
  static async begin(
    t: TestApp,
    {
      organisationId,
      sent = [],
      hasColleague = false,
    }: { organisationId?: string; sent?: readonly Exchange[]; hasColleague?: boolean } = {},
  ): Promise<Insider> {
    const routes = (await documentedRoutes(t)).filter(
      ({ template }) => template.startsWith('/operator/') && !ABOUT_ONESELF.test(template),
    );
    const targets = routes
      .filter(({ method, template }) => method !== 'get' && (!hasColleague || ABOUT_CASES.test(template)))
      .map((one): Target => ({ ...one, samples: bodiesOf(sent, one) }));
    const read = routes
      .filter(
        ({ method, template }) => method === 'get' && !template.includes('{') && !NOT_READ.test(template),
      )
      .map(({ template }) => template);
    return new Insider(t, targets, read, await placeOf(t, organisationId), hasColleague);
  }

  /**
   * Calls every route some times, what creates first: the later calls find what the earlier ones made. Says what passed
   * by that.
   */
  async tour(rounds: number, seed: number): Promise<InsiderReport> {
    const passed: string[] = [];
    await this.renewWorld();
    for (let round = 0; round < rounds; round += 1) {
      const many = 5 + 5 * round;
      const called = this.targets.filter((one) => turnOf(one) <= (round < rounds - 2 ? 2 : 4));
      const open = new Set(called.filter((one) => !this.reached.has(nameOf(one))).map(roomOf));
      for (const [i, target] of called.toSorted((one, other) => turnOf(one) - turnOf(other)).entries()) {
        const isReached = this.reached.has(nameOf(target));
        // Whatever creates is called again for those that were not reached beside it, and then left as it is.
        if (isReached && (turnOf(target) > 1 || round % 2 === 1 || !open.has(roomOf(target)))) continue;
        // An application that is cut off pays no longer.
        if (turnOf(target) > 2 && passed.length === 0) passed.push(...((await this.passed()) ?? []));
        await this.visit(target, seed + 1_000 * round + i, isReached ? 3 : many);
      }
      // Each earlier operator may be disabled by now.
      const { organisationId } = this.place;
      await this.approve(await this.t.operator({ roles: [...roles], organisationId }), isHarmless);
      await this.learnAll();
    }
    passed.push(...((await this.passed()) ?? []));
    const released = passed.length > 0 ? [`${passed.join('; ')}, after\n  ${this.script.join('\n  ')}`] : [];
    return { seed, sequences: 1, released, neverReached: this.neverReached() };
  }

  private async visit(target: Target, seed: number, numRuns: number): Promise<void> {
    const samples = this.samplesOf(target);
    const drafts = fc.sample(draft({ ...target, samples }, 'NONE'), { seed, numRuns });
    for (const [i, drawn] of drafts.entries()) {
      // Every other one is sent as it was sent before.
      const value = i % 2 === 0 ? samples.at(-1 - ((i / 2) % samples.length)) : undefined;
      const sent = value !== undefined && drawn.body ? { ...drawn, body: { ...drawn.body, value } } : drawn;
      const isDone = await this.call({ target, drawn: sent, names: this.names });
      // One more would end what the other routes need.
      if (isDone && !MAKES_MORE.test(target.template) && [1, 2, 4].includes(turnOf(target))) return;
    }
  }

  /** Plays so many sequences; with `first`, until somebody who has the same one releases something. */
  async play(sequences: number, seed: number, first?: AbortController): Promise<InsiderReport> {
    const released: string[] = [];
    let drawnNow: (readonly Step[])[] = [];
    let i = 0;
    for (; i < sequences && !first?.signal.aborted; i += 1) {
      if (i % SEQUENCES_OF_A_WORLD === 0) {
        await this.renewWorld();
        drawnNow = fc.sample(this.calls(), { seed: seed + i, numRuns: SEQUENCES_OF_A_WORLD });
      }
      const sequence = drawnNow[i % SEQUENCES_OF_A_WORLD] ?? [];
      const before = this.script.length;
      for (const step of sequence) await this.call(step);
      // Calls that are refused change nothing.
      if (this.script.length === before && this.person !== null) continue;
      const passed = await this.passed();
      if (passed !== null && passed.length > 0) {
        released.push(await this.shrink(`${i + 1}: ${passed.join('; ')}`));
        first?.abort();
      }
      if (passed === null || passed.length > 0 || this.person === null) await this.renewWorld();
    }
    return { seed, sequences: i, released, neverReached: this.neverReached() };
  }

  /** Tells what passed after which calls, without those that it did not need: mostly it needs few, and the last. */
  private async shrink(passed: string): Promise<string> {
    const all = this.steps;
    let [needed, script] = [all, this.script];
    for (let size = 1; size < all.length; size *= 2) {
      if (!(await this.releases(all.slice(-size)))) continue;
      [needed, script] = [all.slice(-size), this.script];
      break;
    }
    // An earlier world may have left a part of it in the organisation: then nothing is left out.
    for (let i = needed.length < all.length ? 0 : needed.length; i < needed.length;) {
      const fewer = needed.toSpliced(i, 1);
      if (await this.releases(fewer)) [needed, script] = [fewer, this.script];
      else i += 1;
    }
    return `${passed}, after\n  ${script.join('\n  ')}`;
  }

  private async releases(steps: readonly Step[]): Promise<boolean> {
    this.person = null;
    await this.renewWorld();
    for (const step of steps) {
      await this.call(step);
      if (this.hasColleague) await this.approveBlindly();
    }
    return ((await this.passed()) ?? []).length > 0;
  }

  end(): void {
    this.agent.destroy();
  }

  private calls(): fc.Arbitrary<Step[]> {
    const { names } = this;
    const weighted = this.targets.map((one) => {
      const target = { ...one, samples: this.samplesOf(one) };
      return {
        weight: ABOUT_PAYMENTS.test(target.template) ? 6 : 1,
        arbitrary: draft(target, 'NONE').map((drawn) => ({ target, drawn, names })),
      };
    });
    return fc.array(fc.oneof(...weighted), { minLength: 1, maxLength: MOST_CALLS });
  }

  private samplesOf({ template, samples }: Target): readonly unknown[] {
    return this.world?.samplesFor(template) ?? samples;
  }

  private get names(): readonly string[] {
    return this.world?.names ?? [];
  }

  private neverReached(): string[] {
    return this.targets
      .map(nameOf)
      .filter((name) => !this.reached.has(name))
      .map((name) => `${name}: ${this.refused.get(name) ?? 'never called'}`);
  }

  /** Gives the insider customers whose payments were stopped, and shows what is there about them. */
  private async renewWorld(): Promise<void> {
    // A second account in the same organisation would be a second person.
    if (this.person === null && this.world !== null) this.place = await placeOf(this.t);
    const { organisationId } = this.place;
    this.person ??= await this.t.operator({ roles: [...roles], organisationId });
    [this.script, this.steps] = [[], []];
    this.harvest = new Harvest(this.targets);
    this.world = await World.of(this.t, this.place, this.hasColleague ? listed : undefined);
    await this.learnAll(FIRST_READ);
  }

  /** Learns what is there, of the own customers and their cases too. */
  private async learnAll(which = /./): Promise<void> {
    if (this.person === null) return;
    const reader = this.t.api.asOperator(this.person);
    for (const template of this.read.filter((one) => which.test(one))) await this.learn(reader, template, '');
    for (const externalCustomerId of this.world?.customers ?? []) {
      const found = await this.learn(
        reader,
        '/operator/customers',
        `?externalCustomerId=${externalCustomerId}`,
      );
      for (const { id: customerId } of found) {
        const cases = await this.learn(reader, '/operator/reviews', `?customerId=${customerId}`);
        for (const { id } of cases) await this.learn(reader, '/operator/reviews/{id}', '', id);
      }
    }
  }

  private async learn(reader: TestApi, template: string, query: string, id?: string): Promise<Named[]> {
    const { status, body } = await reader.get(template.replace('{id}', id ?? '') + query);
    if (status !== 200) return [];
    this.harvest.learn(template, id === undefined ? [] : [id], body);
    const { data } = body as { data: unknown };
    return Array.isArray(data) ? (data as Named[]) : [];
  }

  /** Says whether the call was not refused. */
  private async call(step: Step): Promise<boolean> {
    if (this.person === null) return false;
    const { target, drawn } = step;
    const { path, headers, body: asDrawn, at } = outgoing(target, drawn, this.harvest);
    const body = asDrawn && renamed(Buffer.from(asDrawn), step.names, this.names);
    const { token } = this.person;
    const answer = await send(this.t.url + path, {
      method: target.method.toUpperCase(),
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-length': String(body.length) } : {}),
      },
      agent: this.agent,
      ...(body ? { body } : {}),
    });
    if (answer.status === 401) this.person = null;
    if (answer.status >= 400) {
      const { error } = (answer.body ?? {}) as { error?: { code: string; details?: readonly object[] } };
      this.refused.set(nameOf(target), JSON.stringify([error?.code, error?.details?.[0]]));
      return false;
    }
    this.reached.add(nameOf(target));
    this.steps.push(step);
    this.harvest.learn(target.template, at, answer.body, answer.text);
    this.script.push(
      `${target.method.toUpperCase()} ${path} ${(body ?? '')
        .toString()
        .replace(/[^\x20-\x7E]+/g, ' ')
        .slice(0, 400)} -> ${answer.status}`,
    );
    return true;
  }

  private async passed(): Promise<string[] | null> {
    if (this.hasColleague) await this.approveBlindly();
    return this.world?.passed() ?? null;
  }

  /** Approves as a colleague each closing of a case of which the summary shows no hit. */
  private async approveBlindly(): Promise<void> {
    const { colleague } = this.place;
    await this.approve(colleague, ({ act, summary }) => act === 'case.close' && summary?.hits.length === 0);
  }

  private async approve(colleague: TestOperator, which: (one: WaitingRequest) => boolean): Promise<void> {
    const reader = this.t.api.asOperator(colleague);
    const { body } = await reader.get('/operator/approvals?limit=100').expect(200);
    let approved = 0;
    for (const { id, digest } of (body as { data: WaitingRequest[] }).data.filter(which)) {
      const { status } = await reader.post(`/operator/approvals/${id}/approve`).send({ digest });
      this.script.push(`a colleague approves ${id} -> ${status}`);
      if (status === 200) approved += 1;
    }
    // An approval takes effect a moment later.
    if (approved > 0) await sleep(500);
  }
}

/** Returns a body about the people of another world; their names are as long as the former. */
const renamed = (body: Buffer, before: readonly string[], after: readonly string[]): Buffer =>
  Buffer.from(
    before.reduce((text, name, i) => text.replaceAll(name, after[i] ?? name), body.toString('latin1')),
    'latin1',
  );

const bodiesOf = (sent: readonly Exchange[], { method, template }: DocumentedRoute): unknown[] =>
  sent
    .filter(({ one }) => one.method === method && one.template === template)
    .flatMap((exchange) => (exchange.sent === undefined ? [] : [exchange.sent]));
