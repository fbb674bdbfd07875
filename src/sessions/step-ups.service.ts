import { Injectable } from '@nestjs/common';
import { CHAIN_START, type ComposedEntry, composeEntry, nameOfActor, stepOf } from '../audit/index.js';
import { UnitOfWork, type Clause } from '../database/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { LocalDays } from '../kernel/local-day.js';
import { Vault } from '../privacy/index.js';
import type { ComposedEvent } from '../webhooks/index.js';
import { actingSystem } from './acting.js';
import type { FlowVersion, NewSession } from './domain/records.js';
import { lifetimeOf, type StepUpWish } from './domain/step-up.js';
import { FlowsService } from './flows.service.js';
import { linkContext, SessionEvents } from './session-events.js';
import { SessionLinks } from './session-links.js';
import { StepUpRepository, type Asker } from './store/step-up.repository.js';

/** A session for one wish: a new one that the evaluation's commit stores, or one whose link stands. */
export interface PreparedStepUp {
  readonly wish: StepUpWish;
  readonly id: string;
  /** The capability, for the event of the evaluation. */
  readonly sessionId: string;
  readonly made: {
    readonly row: NewSession;
    readonly entry: ComposedEntry;
    readonly event: ComposedEvent;
  } | null;
}

// A new version of a flow is used within seconds; a batch must not ask the database for the same flow each time.
const FLOW_FRESH_MS = 5_000;

/**
 * Sessions that rules ask for. Everything about a batch is prepared outside of the transaction and stored by the
 * statement that stores the evaluations. A customer who has a link through the same flow gets no second one: that
 * session answers for every transaction that asked while it was open.
 */
@Injectable()
export class StepUps {
  private readonly days = new LocalDays();
  private readonly flowsKnown = new Map<string, { readonly flow: FlowVersion | null; readonly at: number }>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly flows: FlowsService,
    private readonly links: SessionLinks,
    private readonly events: SessionEvents,
    private readonly stepUps: StepUpRepository,
  ) {}

  /** A session for each wish, in order; null where the organisation has no flow of that name. */
  async prepare(wishes: readonly StepUpWish[]): Promise<(PreparedStepUp | null)[]> {
    if (wishes.length === 0) return [];
    const standing = await this.standing(wishes);
    const flows = await Promise.all(wishes.map((wish) => this.flowFor(wish)));
    await this.vault.prepare(
      wishes.flatMap(({ organisationId, subjectIndex }) => [
        { organisationId, index: subjectIndex },
        this.vault.organisationSubject(organisationId),
      ]),
    );
    const now = this.clock.now();
    return wishes.map((wish, i) => {
      const known = standing.get(nameOf(wish));
      if (known) return { wish, ...known, made: null };
      const flow = flows[i];
      if (!flow) return null;
      const prepared = this.make(wish, flow, now);
      standing.set(nameOf(wish), { id: prepared.id, sessionId: prepared.sessionId });
      return prepared;
    });
  }

  /** Stores new sessions and who asked, for those transactions that the clause named `onlyFor` returned as `id`. */
  clauses(prepared: readonly PreparedStepUp[], onlyFor: string): Clause[] {
    const mine = new Set(prepared.flatMap(({ id, made }) => (made ? [id] : [])));
    const askers = prepared.map(({ id, wish }) => ({
      sessionId: id,
      organisationId: wish.organisationId,
      transactionRef: wish.transactionRef,
      evaluationVersion: wish.evaluationVersion,
      isNew: mine.has(id),
    }));
    return [
      this.stepUps.insertClause(
        prepared.flatMap(({ made }) => made?.row ?? []),
        onlyFor,
      ),
      this.stepUps.askersClause(askers, onlyFor),
    ];
  }

  /** When the newest approved session of each customer ended, in milliseconds since the epoch, in order; or null. */
  async lastApproved(
    customers: readonly { readonly organisationId: string; readonly customerId: string }[],
  ): Promise<(number | null)[]> {
    if (customers.length === 0) return [];
    const found = await this.stepUps.lastApproved(
      customers.map(({ organisationId }) => organisationId),
      customers.map(({ customerId }) => customerId),
    );
    return customers.map(({ customerId }) => found.get(customerId) ?? null);
  }

  /** The transactions that wait for these sessions, which are over. */
  waiting(sessionIds: readonly string[]): Promise<Asker[]> {
    return this.stepUps.waiting(sessionIds);
  }

  /** The transaction has been evaluated again. */
  async done(asker: Asker): Promise<void> {
    await this.uow.run(asker.organisationId, (tx) => this.stepUps.done(tx, asker));
  }

  private make(wish: StepUpWish, flow: FlowVersion, now: number): PreparedStepUp {
    const { organisationId, correlationId, requestId, traceparent } = wish;
    const id = newUuid();
    const sessionId = this.links.make();
    const linkHash = this.links.hashOf(sessionId);
    if (!linkHash) throw new Error('a new session id does not look like one');
    const acting = actingSystem(organisationId, 'kyt.pipeline', { requestId, correlationId, traceparent });
    const occurredAt = new Date(now);
    const hour = Math.floor((now - this.days.startOfDay(now)) / 3_600_000);
    const expiresAt = new Date(now + lifetimeOf(wish, hour));
    const entry = composeEntry(
      stepOf(acting, 'session', id, 'session.created', occurredAt, {
        flow: flow.key,
        flowVersion: flow.version,
        trigger: 'STEP_UP',
        customerId: wish.customerId,
        expiresAt: expiresAt.toISOString(),
        previousSessionId: null,
        transactionRef: wish.transactionRef,
      }),
      CHAIN_START,
    );
    const secrets = this.vault.organisationSubject(organisationId);
    const row: NewSession = {
      id,
      organisationId,
      clientAppId: wish.clientAppId,
      customerId: wish.customerId,
      subjectIndex: wish.subjectIndex,
      flowId: flow.id,
      linkHash,
      linkSealed: this.vault.seal(sessionId, secrets, linkContext({ id, organisationId })),
      trigger: 'STEP_UP',
      transactionRef: wish.transactionRef,
      evaluationVersion: wish.evaluationVersion,
      previousSessionId: null,
      attempt: 1,
      createdBy: nameOfActor(acting),
      requestId,
      correlationId,
      traceparent,
      expiresAt,
      trailHash: entry.hash,
    };
    const event = this.events.created(row, sessionId, flow.definition.name['pt-BR'], occurredAt);
    return { wish, id, sessionId, made: { row, entry, event } };
  }

  private async standing(
    wishes: readonly StepUpWish[],
  ): Promise<Map<string, { readonly id: string; readonly sessionId: string }>> {
    const open = await this.stepUps.open(
      wishes.map(({ organisationId }) => organisationId),
      wishes.map(({ customerId }) => customerId),
    );
    const links = await this.vault.openMany(
      open.map((session) => ({ sealed: session.linkSealed, context: linkContext(session) })),
    );
    return new Map(
      open.flatMap((session, i) => {
        const link = links[i];
        return link ? [[nameOf(session), { id: session.id, sessionId: link.toString('utf8') }] as const] : [];
      }),
    );
  }

  private async flowFor({ organisationId, flowKey }: StepUpWish): Promise<FlowVersion | null> {
    const name = `${organisationId}|${flowKey}`;
    const known = this.flowsKnown.get(name);
    if (known && performance.now() - known.at < FLOW_FRESH_MS) return known.flow;
    const flow = await this.flows.current(organisationId, flowKey).catch((error: unknown) => {
      // A rule that names a flow which is not there must not hold up the transaction; the action is told all the same.
      if (error instanceof DomainError && error.code === 'FLOW_NOT_FOUND') return null;
      throw error;
    });
    if (this.flowsKnown.size >= 1_000) this.flowsKnown.clear();
    this.flowsKnown.set(name, { flow, at: performance.now() });
    return flow;
  }
}

const nameOf = ({ customerId, flowKey }: { readonly customerId: string; readonly flowKey: string }): string =>
  `${customerId}|${flowKey}`;
