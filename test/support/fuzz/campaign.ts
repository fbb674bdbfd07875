import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { expect } from '@jest/globals';
import { ClientAppsService } from '../../../src/features/auth/index.js';
import { isDatabaseUnavailable, retry } from '../../../src/platform/database/index.js';
import { roles, scopes } from '../../../src/platform/http/index.js';
import type { TestClient } from '../api.js';
import type { Answer } from '../answers.js';
import type { TestApp } from '../app.js';
import { send } from '../raw-http.js';
import { WebhookReceiver } from '../receiver.js';
import { parts, type Begun } from '../walked-routes.js';
import { Harvest } from './harvest.js';
import { drafts, outgoing, atTheEdges, type Caller, type Draft, type Target } from './requests.js';
import { CANARY } from './values.js';
import type { Judge } from './verdict.js';

const IN_PARALLEL = 8;
// Far above what any answer takes, on a busy machine too.
const ANSWER_WITHIN_MS = 90_000;
const FINDINGS_SHOWN = 40;

/** The observations of a run. */
export interface CampaignReport {
  readonly seed: number;
  readonly requests: number;
  readonly operations: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that never answered with a success, by name. */
  readonly neverSucceeded: readonly string[];
  /** Each kind of finding once, with the first request that showed it. */
  readonly findings: readonly string[];
}

interface Shot {
  readonly target: Target;
  readonly draft: Draft;
}

const endsSessions = (template: string): boolean => /^\/operator\/(auth|me)\//.test(template);

const nameOf = ({ method, template }: Target): string => `${method.toUpperCase()} ${template}`;

/** Sends drawn requests to every operation of the service's own documents and judges every answer by them. */
export class Campaign {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: IN_PARALLEL });
  private readonly harvest: Harvest;
  private readonly statuses: Record<string, number> = {};
  private readonly succeeded = new Set<string>();
  private readonly findings = new Map<string, { readonly first: string; readonly at: Set<string> }>();
  private client: Promise<TestClient>;
  private readonly operators: Record<'RIGHT' | 'COLLEAGUE', Promise<string>>;
  private requests = 0;

  private constructor(
    private readonly t: TestApp,
    private readonly targets: readonly Target[],
    private readonly judge: Judge,
    private readonly organisation: TestClient,
    private readonly seed: number,
  ) {
    this.client = Promise.resolve(organisation);
    this.harvest = new Harvest(targets);
    this.operators = { RIGHT: this.newOperator(), COLLEAGUE: this.newOperator() };
  }

  /** Goes on from where the walk came to: what it made is there, and what it sent is sent again. */
  static prepare({ t, walk, client }: Begun, receiver: WebhookReceiver, seed: number): Campaign {
    // For a closer look: VIGIA_FUZZ_ONLY=custom-fields sends all of the requests there.
    const only = new RegExp(process.env['VIGIA_FUZZ_ONLY'] ?? '');
    const routes = [...walk.routes.values()].filter(({ template }) => only.test(template));
    const targets = routes.map((route): Target => ({
      ...route,
      samples: walk.exchanges
        .filter(({ one, sent }) => one === route && sent !== undefined)
        .map(({ sent }) => sent),
    }));
    const campaign = new Campaign(t, targets, walk.judge, client, seed);
    campaign.harvest.learn('/client-apps/public', [], { data: { clientId: client.clientId } });
    campaign.harvest.keep('url', receiver.url);
    for (const { one, at, answer } of walk.exchanges) {
      campaign.harvest.learn(one.template, at, answer.body);
    }
    return campaign;
  }

  /** Sends about so many requests, the same share for each operation. */
  async run(requests: number): Promise<CampaignReport> {
    const each = Math.ceil(requests / this.targets.length);
    const shots = this.targets.flatMap((target, i) =>
      drafts(target, this.seed + i, each).map((draft, round) => ({ target, draft, round })),
    );
    // Round by round, what creates first: the later ones find what the earlier ones made.
    const isFirst = ({ target, round }: { target: Target; round: number }): number =>
      round * 2 + (target.method === 'post' && !target.template.includes('{') ? 0 : 1);
    await this.shootAll(shots.sort((a, b) => isFirst(a) - isFirst(b)));
    return this.report();
  }

  /** Sends what no column holds in the place of every member and of every value of a path; what it names is there. */
  async edges(drawn: number): Promise<CampaignReport> {
    await this.shootAll(
      this.targets.flatMap((target, i) =>
        atTheEdges(target, this.seed + i, drawn).map((draft) => ({ target, draft })),
      ),
    );
    return this.report();
  }

  end(): void {
    this.agent.destroy();
  }

  private async shootAll(queue: Shot[]): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let shot = queue.shift(); shot; shot = queue.shift()) await this.shoot(shot);
    };
    await Promise.all(Array.from({ length: IN_PARALLEL }, worker));
  }

  private async shoot({ target, draft }: Shot): Promise<void> {
    const sent = outgoing(target, draft, this.harvest);
    const credentials = await this.credentials(target, draft.caller);
    const asked = send(this.t.url + sent.path, {
      method: target.method.toUpperCase(),
      headers: {
        ...sent.headers,
        ...credentials,
        ...(sent.body ? { 'content-length': String(sent.body.length) } : {}),
      },
      agent: this.agent,
      ...(sent.body ? { body: sent.body } : {}),
    });
    this.requests += 1;
    const answer = await within(asked, ANSWER_WITHIN_MS).catch((error: unknown) => String(error));
    const show = [
      `${target.method.toUpperCase()} ${sent.path.slice(0, 200)}`,
      JSON.stringify(sent.headers).slice(0, 300),
      (sent.body ?? '').toString().slice(0, 600),
    ].join(' ');
    if (typeof answer === 'string') {
      this.note(target, answer, show);
      return;
    }
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    for (const found of this.judge.findings(target, sent, answer)) {
      // Failures of two operations have two causes.
      const finding = answer.status === 500 ? `${found} of ${nameOf(target)}` : found;
      this.note(target, finding, `${show}\n      -> ${answer.text.slice(0, 400)}${this.logOf(answer)}`);
    }
    if (answer.status < 400) {
      this.succeeded.add(nameOf(target));
      this.harvest.learn(target.template, sent.at, answer.body, answer.text);
    } else if (answer.status === 404) this.harvest.forget(target.template, sent.at);
    const isRight = draft.caller === 'RIGHT' || draft.caller === 'COLLEAGUE';
    if (isRight && (answer.status === 401 || answer.status === 403)) this.renew(target);
  }

  /** Returns what the service has logged of a request that it failed to handle. */
  private logOf({ status, headers }: Answer): string {
    if (status !== 500) return '';
    const id = String(headers['x-request-id']);
    const lines = this.t.log.filter((line) => line.includes(id) && line.includes('"level":"error"'));
    return lines.map((line) => `\n      log: ${line.trim()}`).join('');
  }

  private note(target: Target, finding: string, shown: string): void {
    const known = this.findings.get(finding) ?? { first: shown, at: new Set() };
    known.at.add(nameOf(target));
    this.findings.set(finding, known);
  }

  private async credentials(
    { operation, template }: Target,
    caller: Caller,
  ): Promise<Readonly<Record<string, string>>> {
    const needed = Object.keys(operation.security?.[0] ?? {});
    if (needed.length === 0 || caller === 'NOBODY') return {};
    const isOperator = needed.includes('operator-token');
    if (caller === 'NONSENSE') {
      return isOperator
        ? { authorization: `Bearer ${CANARY}.${CANARY}.${CANARY}` }
        : { 'x-client-id': CANARY, 'x-client-secret': `vsk_${CANARY}` };
    }
    if (isOperator) {
      // Calls about oneself may end the session: they get one of their own.
      const lasting = this.operators[caller === 'COLLEAGUE' ? caller : 'RIGHT'];
      const token = await (endsSessions(template) ? this.newOperator() : lasting);
      return { authorization: `Bearer ${caller === 'STRANGER' ? `${token.slice(0, -3)}AAA` : token}` };
    }
    const { clientId, clientSecret } = await this.client;
    return { 'x-client-id': clientId, 'x-client-secret': caller === 'STRANGER' ? CANARY : clientSecret };
  }

  /** A request of the run may have ended the session, disabled the operator or revoked the secret. */
  private renew({ operation, template }: Target): void {
    if (endsSessions(template)) return;
    if (Object.keys(operation.security?.[0] ?? {}).includes('operator-token')) {
      this.operators.RIGHT = this.newOperator();
      this.operators.COLLEAGUE = this.newOperator();
    } else this.client = this.newClient();
  }

  private async newClient(): Promise<TestClient> {
    const { organisationId } = this.organisation;
    const clientId = `fuzz-${randomBytes(6).toString('hex')}`;
    const created = await this.t.app.get(ClientAppsService).create({
      organisationId,
      clientId,
      name: clientId,
      publicName: 'Loja Exemplo',
      branding: { logoUrl: null, primaryColor: null },
      scopes,
      rateLimit: { perSecond: 20_000, burst: 40_000 },
    });
    if (!created) throw new Error('the client id is taken');
    return { id: created.id, organisationId, clientId, clientSecret: created.secret };
  }

  private async newOperator(): Promise<string> {
    const { organisationId } = this.organisation;
    // The calls of the campaign may hold every connection for longer than one is waited for.
    const { token } = await retry(() => this.t.operator({ roles: [...roles], organisationId }), {
      maxAttempts: 5,
      retryOn: isDatabaseUnavailable,
    });
    return token;
  }

  /** Returns the faults that show only beside the answers. */
  private besideTheAnswers(): string[] {
    const lines = this.t.log.filter((line) => line.includes(CANARY));
    const probe: Record<string, unknown> = {};
    return [
      ...(lines.length > 0
        ? [`the log holds what was sent:\n   ${lines.slice(0, 3).join('').slice(0, 2_000)}`]
        : []),
      ...('isAdmin' in probe || 'x' in probe ? ['Object.prototype was changed'] : []),
    ];
  }

  private report(): CampaignReport {
    const names = this.targets.map(nameOf);
    return {
      seed: this.seed,
      requests: this.requests,
      operations: this.targets.length,
      statuses: this.statuses,
      neverSucceeded: names.filter((name) => !this.succeeded.has(name)),
      findings: [
        ...[...this.findings].map(
          ([finding, { first, at }]) => `${finding}
   at ${[...at].join(', ')}
   first: ${first}`,
        ),
        ...this.besideTheAnswers(),
      ],
    };
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ms / 1_000} s`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a campaign, says how to repeat it, and fails with what it found. */
export async function fuzz(begun: Begun, requests: number, seed: number): Promise<CampaignReport> {
  process.stdout.write(`fuzz: VIGIA_SEED=${seed}\n`);
  const upset = parts.at(-1);
  for (const [, take] of parts.slice(0, -1)) await take();
  const receiver = await WebhookReceiver.listen();
  const campaign = Campaign.prepare(begun, receiver, seed);
  let report: Awaited<ReturnType<Campaign['run']>>;
  try {
    await campaign.run(requests);
    await campaign.edges(Math.ceil(requests / 7_000));
    // The last part finds that the log was rolled back: much is refused then, or answered with a word of its own.
    await upset?.[1]();
    report = await campaign.run(1);
  } finally {
    campaign.end();
    await receiver.close();
  }
  const { findings, statuses, neverSucceeded, operations } = report;
  process.stdout.write(
    `fuzz: ${report.requests} requests to ${operations} operations, answers ${JSON.stringify(statuses)}; ` +
      `without a success: ${neverSucceeded.length} (${neverSucceeded.join(', ')})\n`,
  );
  expect(findings.slice(0, FINDINGS_SHOWN)).toEqual([]);
  return report;
}
