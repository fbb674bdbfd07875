import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import fc from 'fast-check';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { roles } from '../../src/platform/http/index.js';
import type { TestApi, TestClient, TestOperator, TransactionAnswer } from './api.js';
import type { TestApp } from './app.js';
import { aTransaction } from './builders.js';
import { Harvest } from './fuzz/harvest.js';
import { draft, outgoing, type Draft, type Target } from './fuzz/requests.js';
import { LISTED, withLists } from './lists.js';
import { documentedRoutes } from './openapi.js';
import { send } from './raw-http.js';

/** The insider gets other customers and payments after so many sequences. */
const SEQUENCES_OF_A_WORLD = 10;
const MOST_CALLS = 6;
const DAY_MS = 86_400_000;

const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
/** Payments that nobody lets pass: of a customer of whom nothing is known, at night, and to somebody on a list. */
const STOPPED = [
  { type: 'TED_TRANSFER', amount: 12_000, occurredAt: `${YESTERDAY}T15:00:00.000Z` },
  { amount: 1_500, occurredAt: `${YESTERDAY}T02:30:00.000Z` },
  { amount: 100, destination: { name: LISTED.sanctions, accountReference: '0001-99', country: 'BR' } },
] as const;

/** Acts about oneself end the own session, and say nothing about payments. */
const ABOUT_ONESELF = /^\/operator\/(auth|me)\b/;
/** Routes that may change how a payment is judged are taken more often. */
const ABOUT_PAYMENTS = /customers|reviews|hits|kyc-sessions|lists|freezes|approvals|transactions/;
const READ = [
  'reviews',
  'hits',
  'lists',
  'client-apps',
  'rulesets',
  'operators',
  'approvals',
  'flows',
] as const;

export interface InsiderReport {
  readonly seed: number;
  readonly sequences: number;
  /** For each payment that a sequence released: what was called since the world began, readable, with the answers. */
  readonly released: readonly string[];
}

/** Somebody with every role who acts alone, by whatever routes there are. */
export class Insider {
  private readonly agent = new Agent({ keepAlive: true });
  private harvest: Harvest;
  private person: TestOperator | null = null;
  private customers: string[] = [];
  private stopped: TransactionAnswer[] = [];
  private script: string[] = [];

  private constructor(
    private readonly t: TestApp,
    private readonly targets: readonly Target[],
    private client: TestClient,
  ) {
    this.harvest = new Harvest(targets);
  }

  static async begin(t: TestApp): Promise<Insider> {
    const client = await t.client({ rules: false });
    const { organisationId } = client;
    await withLists(t, organisationId);
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    // Somebody independent is there, so that nobody may go on alone.
    for (const role of roles) await t.operator({ roles: [role], organisationId });
    const targets = (await documentedRoutes(t))
      .filter(({ template, method }) => template.startsWith('/operator/') && method !== 'get')
      .filter(({ template }) => !ABOUT_ONESELF.test(template))
      .map((one): Target => ({ ...one, samples: [] }));
    return new Insider(t, targets, client);
  }

  async play(sequences: number, seed: number): Promise<InsiderReport> {
    const weighted = this.targets.map((target) => ({
      weight: ABOUT_PAYMENTS.test(target.template) ? 6 : 1,
      arbitrary: draft(target, 'NONE').map((drawn) => ({ target, drawn })),
    }));
    const calls = fc.array(fc.oneof(...weighted), { minLength: 1, maxLength: MOST_CALLS });
    const released: string[] = [];
    for (const [i, sequence] of fc.sample(calls, { seed, numRuns: sequences }).entries()) {
      if (i % SEQUENCES_OF_A_WORLD === 0) await this.renewWorld();
      for (const { target, drawn } of sequence) await this.call(target, drawn);
      const passed = await this.passed();
      if (passed === null) await this.renewWorld();
      if (passed === null || passed.length === 0) continue;
      released.push(`${passed.join('; ')}, after\n  ${this.script.join('\n  ')}`);
      await this.renewWorld();
    }
    this.agent.destroy();
    return { seed, sequences, released };
  }

  /** Gives the insider customers whose payments were stopped, and shows what is there about them. */
  private async renewWorld(): Promise<void> {
    const { organisationId } = this.client;
    this.client = await this.t.client({ organisationId, rules: false });
    this.script = [];
    this.harvest = new Harvest(this.targets);
    this.customers = STOPPED.map(() => `insider-${randomBytes(5).toString('hex')}`);
    this.stopped = (await this.pay()) ?? [];
    if (this.stopped.length < STOPPED.length) throw new Error('the payments of a world were refused');
    for (const { verdict, transactionId } of this.stopped) {
      if (verdict === 'RELEASE') throw new Error(`${transactionId} was to be stopped`);
    }
    const reader = await this.reader();
    for (const externalCustomerId of this.customers) {
      await this.learn(reader, '/operator/customers', `?externalCustomerId=${externalCustomerId}`);
    }
    for (const what of READ) await this.learn(reader, `/operator/${what}`, '?limit=5');
    await this.learn(reader, '/operator/transactions', '?limit=5');
  }

  private async learn(reader: TestApi, template: string, query: string): Promise<void> {
    const { status, body } = await reader.get(template + query);
    if (status === 200) this.harvest.learn(template, [], body);
  }

  private async call(target: Target, drawn: Draft): Promise<void> {
    const { path, headers, body, at } = outgoing(target, drawn, this.harvest);
    const { token } = await this.who();
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
    if (answer.status >= 400) return;
    this.harvest.learn(target.template, at, answer.body, answer.text);
    this.script.push(
      `${target.method.toUpperCase()} ${path} ${(body ?? '').toString().slice(0, 400)} -> ${answer.status}`,
    );
  }

  /** Pays again as every customer, and looks at the payments that were stopped; null if the application is cut off. */
  private async passed(): Promise<string[] | null> {
    const again = await this.pay();
    if (!again) return null;
    const integrator = this.t.api.as(this.client);
    const before = await Promise.all(
      this.stopped.map(({ transactionId }) => integrator.settled(transactionId)),
    );
    return [...before, ...again]
      .filter(({ verdict }) => verdict === 'RELEASE')
      .map(
        ({ transactionId, reasons }) =>
          `${transactionId} passes (${reasons.map((one) => one.ruleId).join()})`,
      );
  }

  private async pay(): Promise<TransactionAnswer[] | null> {
    const integrator = this.t.api.as(this.client);
    const sent = STOPPED.map((fields, i) =>
      aTransaction({ externalCustomerId: this.customers[i], ...fields }),
    );
    const answers = await Promise.all(sent.map((one) => integrator.ingest(one)));
    if (answers.some(({ status }) => status !== 202)) return null;
    return Promise.all(sent.map(({ transactionId }) => integrator.settled(transactionId)));
  }

  private async who(): Promise<TestOperator> {
    const { organisationId } = this.client;
    return (this.person ??= await this.t.operator({ roles: [...roles], organisationId }));
  }

  private async reader(): Promise<TestApi> {
    return this.t.api.asOperator(await this.who());
  }
}
