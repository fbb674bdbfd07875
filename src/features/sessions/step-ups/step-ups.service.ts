import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, publicId } from '../../../platform/kernel/index.js';
import { LocalDays } from '../../../platform/kernel/values/local-day.js';
import { Vault } from '../../../platform/privacy/index.js';
import type { UnfinishedScope } from '../../../platform/queue/index.js';
import { sessionSystemActor } from '../actor-context.js';
import type { FlowVersion, OpenLink } from '../domain/records.js';
import {
  stepUpLifetimeMs,
  stepUpStateOf,
  type RequestedStepUp,
  type StepUpRequest,
} from '../domain/step-up.js';
import { FlowsService } from '../flows/flows.service.js';
import { linkEncryptionContext } from '../outcome/session-event-publisher.js';
import { PrivacyNoticesService } from '../privacy-notices.service.js';
import { SessionIssuerService } from '../session-issuer.service.js';
import { SessionLinkFactory } from '../link/session-link-factory.js';
import { SessionTransactionEntity } from '../store/entities.js';
import type { PreparedStepUp } from '../store/step-up.clauses.js';
import { StepUpRepository, type StepUpRequestLink } from '../store/step-up.repository.js';

// A job normally starts within seconds; after this time it is queued again.
const QUIET_SECONDS = 30;

// A new version of a flow is used within seconds. The cache saves a batch from reading the same flow each time.
const FLOW_FRESH_MS = 5_000;

/**
 * Prepares the sessions that rules request. A batch is prepared before the database transaction and stored by the
 * statement that stores the evaluations. A customer has at most one open link for a flow: while it is open, its session
 * counts for every transaction that requests it.
 */
@Injectable()
export class StepUpsService {
  private readonly localDays = new LocalDays();
  private readonly flowCache = new Map<string, { readonly flow: FlowVersion | null; readonly at: number }>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly flows: FlowsService,
    private readonly links: SessionLinkFactory,
    private readonly issuer: SessionIssuerService,
    private readonly stepUps: StepUpRepository,
    private readonly notices: PrivacyNoticesService,
  ) {}

  /** Claims ended sessions with transactions that still have to be re-evaluated; returns their ids. */
  claimUnannounced(tx: Tx, which: UnfinishedScope): Promise<string[]> {
    return this.stepUps.claimUnannounced(tx, which === 'overdue' ? QUIET_SECONDS : 0);
  }

  /** Returns a session for each request, in order; null if the organisation has no flow with that key. */
  async prepareStepUps(requests: readonly StepUpRequest[]): Promise<(PreparedStepUp | null)[]> {
    if (requests.length === 0) return [];
    const openSessions = await this.findOpenSessions(requests);
    const flows = await Promise.all(requests.map((request) => this.findFlow(request)));
    const notices = await Promise.all(
      requests.map(({ organisationId }) => this.notices.currentVersion(organisationId)),
    );
    await this.vault.prepare(
      requests.flatMap(({ organisationId, subjectIndex }) => [
        { organisationId, index: subjectIndex },
        this.vault.organisationSubject(organisationId),
      ]),
    );
    const now = this.clock.now();
    return requests.map((request, i) => {
      const openSession = openSessions.get(nameOf(request));
      if (openSession) {
        return { request, ...openSession, sessionRef: publicId('kys', openSession.id), made: null };
      }
      const flow = flows[i];
      if (!flow) return null;
      const prepared = this.composeStepUp(request, flow, notices[i] ?? null, now);
      openSessions.set(nameOf(request), { id: prepared.id, link: prepared.link });
      return prepared;
    });
  }

  async hasFlow(organisationId: string, flowKey: string): Promise<boolean> {
    return (await this.findFlow({ organisationId, flowKey })) !== null;
  }

  /**
   * Returns, for each of these transactions and each flow, the session requested last, with its link if it is valid.
   */
  async findRequestedFlows(
    transactions: readonly { readonly organisationId: string; readonly ref: string }[],
  ): Promise<RequestedStepUp[]> {
    if (transactions.length === 0) return [];
    const requestedSessions = await this.stepUps.findRequestedSessions(
      transactions.map(({ organisationId }) => organisationId),
      transactions.map(({ ref }) => ref),
    );
    const links = await this.vault.openMany(
      requestedSessions.map((session) => ({
        sealed: session.linkSealed,
        context: linkEncryptionContext(session),
      })),
    );
    return requestedSessions.map(
      ({ transactionRef, flowKey, id, stands, expiresAt, outcome, decidedOutcome, ...state }, i) => {
        const link = links[i];
        return {
          transactionRef,
          flowKey,
          sessionRef: publicId('kys', id),
          state: stepUpStateOf({ ...state, outcome: decidedOutcome ?? outcome }),
          link: stands && link ? this.linkOf(link.toString('utf8'), expiresAt) : null,
        };
      },
    );
  }

  /** Returns the link that the customer of a transaction still has to use, or null. */
  async findOpenLink(transaction: {
    readonly organisationId: string;
    readonly ref: string;
  }): Promise<OpenLink | null> {
    const links = (await this.findRequestedFlows([transaction])).flatMap((flow) => flow.link ?? []);
    return links[0] ?? null;
  }

  /** Returns the transactions that have to be re-evaluated after the end of these sessions. */
  findPendingTransactions(sessionIds: readonly string[]): Promise<StepUpRequestLink[]> {
    return this.stepUps.findPending(sessionIds);
  }

  /** True if the transaction has not been re-evaluated since the end of its session was announced. */
  needsReEvaluation(asker: StepUpRequestLink): Promise<boolean> {
    return this.stepUps.needsReEvaluation(asker);
  }

  /** Records that the transaction needs no further evaluation. */
  async markReEvaluated({ organisationId, sessionId, transactionRef }: StepUpRequestLink): Promise<void> {
    const waiting = { organisationId, sessionId, transactionRef };
    const now = (): string => 'clock_timestamp()';
    await this.uow.run(organisationId, (tx) =>
      tx.update(SessionTransactionEntity, waiting, { reEvaluatedAt: now }),
    );
  }

  private composeStepUp(
    request: StepUpRequest,
    flow: FlowVersion,
    noticeVersion: number | null,
    now: number,
  ): PreparedStepUp {
    const { organisationId, clientAppId, customerId, subjectIndex } = request;
    const { transactionRef, evaluationVersion } = request;
    const hour = Math.floor((now - this.localDays.startOfDay(now)) / 3_600_000);
    const { link, ...made } = this.issuer.composeSession(
      sessionSystemActor(organisationId, 'kyt.pipeline', request),
      flow,
      {
        ...{ clientAppId, customerId, subjectIndex, trigger: 'STEP_UP' },
        ...{ transactionRef, evaluationVersion, previousSessionId: null, attempt: 1 },
        ...{ noticeVersion, parentSessionId: null, reusedSessionId: null },
      },
      new Date(now),
      new Date(now + stepUpLifetimeMs(request, hour)),
    );
    const { id } = made.row;
    return { request, id, sessionRef: publicId('kys', id), link, made };
  }

  private linkOf(sessionId: string, expiresAt: Date): OpenLink {
    return { sessionId, url: this.links.urlOf(sessionId), expiresAt };
  }

  private async findOpenSessions(
    requests: readonly StepUpRequest[],
  ): Promise<Map<string, { readonly id: string; readonly link: OpenLink }>> {
    const open = await this.stepUps.listOpenStepUps(
      requests.map(({ organisationId }) => organisationId),
      requests.map(({ customerId }) => customerId),
    );
    const links = await this.vault.openMany(
      open.map((session) => ({ sealed: session.linkSealed, context: linkEncryptionContext(session) })),
    );
    const openSessions: Awaited<ReturnType<StepUpsService['findOpenSessions']>> = new Map();
    open.forEach((session, i) => {
      const plaintext = links[i];
      if (!plaintext) return;
      const link = this.linkOf(plaintext.toString('utf8'), session.expiresAt);
      openSessions.set(nameOf(session), { id: session.id, link });
    });
    return openSessions;
  }

  private async findFlow({
    organisationId,
    flowKey,
  }: Pick<StepUpRequest, 'organisationId' | 'flowKey'>): Promise<FlowVersion | null> {
    const name = `${organisationId}|${flowKey}`;
    const cachedFlow = this.flowCache.get(name);
    if (cachedFlow && performance.now() - cachedFlow.at < FLOW_FRESH_MS) return cachedFlow.flow;
    const flow = await this.flows.readOrCreateCurrent(organisationId, flowKey).catch((error: unknown) => {
      // A rule with an unknown flow must not block the pipeline: its transaction goes to review.
      if (error instanceof DomainError && error.code === 'FLOW_NOT_FOUND') return null;
      throw error;
    });
    if (this.flowCache.size >= 1_000) this.flowCache.clear();
    this.flowCache.set(name, { flow, at: performance.now() });
    return flow;
  }
}

const nameOf = ({ customerId, flowKey }: { readonly customerId: string; readonly flowKey: string }): string =>
  `${customerId}|${flowKey}`;
