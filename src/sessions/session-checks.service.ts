import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail, stepOf } from '../audit/index.js';
import { CustomersService, type FoundCustomer } from '../customers/index.js';
import { isDatabaseAway, UnitOfWork } from '../database/index.js';
import { Clock } from '../kernel/index.js';
import { today } from '../screening/index.js';
import { ArtifactsService } from '../uploads/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { actingSystem } from './acting.js';
import { ArtifactChecks } from './artifact-checks.js';
import {
  checkAge,
  checkPepDeclaration,
  checkProfile,
  checksOf,
  checkTaxId,
  failed,
  missing,
  taxIdIn,
  type Finding,
} from './domain/built-in-checks.js';
import type { EvidenceComponent } from './domain/evidence.js';
import type { Answers, CheckName } from './domain/flow.js';
import { composeResult } from './domain/result.js';
import { SessionConclusions } from './session-conclusions.js';
import { SessionDesk } from './session-desk.js';
import { SessionEvents } from './session-events.js';
import { ScreeningCheck } from './screening.check.js';
import type { SessionRow } from './domain/records.js';
import { SessionRepository } from './store/session.repository.js';
import { SessionWorkRepository, type HeldSession } from './store/session-work.repository.js';

// Longer than all checks together may take, the providers' time limits included.
const LEASE_SECONDS = 60;
// After so many a session ends with what is known: nobody waits for a fault of ours for ever.
const MAX_ATTEMPTS = 5;
const RETRY_SECONDS = [1, 5, 20, 60] as const;

type Findings = ReadonlyMap<CheckName, Finding>;

/**
 * Runs the checks of submitted sessions and ends each of them once. Everything that takes time happens before the
 * commit; a process that died, or was overtaken, has changed nothing.
 */
@Injectable()
export class SessionChecks {
  private readonly logger = new Logger(SessionChecks.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly desk: SessionDesk,
    private readonly events: SessionEvents,
    private readonly screening: ScreeningCheck,
    private readonly artifacts: ArtifactChecks,
    private readonly dossiers: ArtifactsService,
    private readonly conclusions: SessionConclusions,
    private readonly sessions: SessionRepository,
    private readonly work: SessionWorkRepository,
  ) {}

  /** Carries the named sessions to their end, those that nobody else holds. */
  async advance(ids: readonly string[]): Promise<void> {
    for (const held of await this.work.claim(ids, LEASE_SECONDS)) {
      try {
        await this.check(held);
      } catch (error) {
        if (isDatabaseAway(error)) throw error; // the lease runs out, and the reconciler brings it back
        this.logger.warn(
          `checks of a session failed, attempt ${held.attempts}: ${error instanceof Error ? error.name : 'unknown error'}`,
        );
        await this.work.release(held, RETRY_SECONDS[held.attempts - 1] ?? 60);
      }
    }
  }

  private async check(held: HeldSession): Promise<void> {
    const session = await this.sessions.find(held.organisationId, held.sessionId);
    if (session?.status !== 'PROCESSING') throw new Error('work without a session in PROCESSING');
    const answers = await this.desk.answersOf(session);
    const givenUp = held.attempts > MAX_ATTEMPTS;
    const customer = await this.customers.find(session.organisationId, session.customerId);
    // Compared with what was known before the person is identified: afterwards everything agrees with itself.
    const profile = answers && !givenUp ? checkProfile(answers, customer?.profile ?? null) : null;
    const identified = answers && !givenUp ? await this.identify(session, answers, customer, profile) : null;
    const hitIds: string[] = [];
    const findings = givenUp
      ? new Map<CheckName, Finding>()
      : await this.findings(session, answers, profile, identified, hitIds);
    const otherwise = givenUp ? failed('CHECKS_FAILED') : missing('SUBJECT_ERASED');
    const evidence = this.evidenceOf(session, findings, answers ? failed('CHECKS_FAILED') : otherwise);
    await this.conclude(held, session, evidence, identified?.customerId ?? session.customerId, hitIds);
  }

  /** Who the person is: the customer of the link, or the one whose document was shown. */
  private async identify(
    session: SessionRow,
    answers: Answers,
    customer: FoundCustomer | null,
    profile: Finding | null,
  ): Promise<{ customerId: string; subjectIndex: Buffer } | null> {
    const own = customer && { customerId: customer.id, subjectIndex: customer.subjectIndex };
    const taxId = taxIdIn(answers);
    // Somebody else's statement must not change whose record this is.
    if (!taxId || profile?.reason === 'DOCUMENT_DIFFERS') return own;
    const name = answers['name'];
    const birthDate = answers['birthDate'];
    const confirmed = await this.customers.confirm(session.customerId, {
      organisationId: session.organisationId,
      clientAppId: session.clientAppId,
      externalCustomerId: null,
      taxId,
      name: typeof name === 'string' ? name : null,
      birthDate: typeof birthDate === 'string' ? birthDate : null,
      by: 'SESSION',
      requestId: null,
      correlationId: session.correlationId,
      traceparent: session.traceparent,
    });
    return confirmed ?? own;
  }

  private async findings(
    session: SessionRow,
    answers: Answers | null,
    profile: Finding | null,
    identified: { customerId: string; subjectIndex: Buffer } | null,
    hitIds: string[],
  ): Promise<Findings> {
    const findings = new Map<CheckName, Finding>();
    if (!answers || !profile) return findings;
    const day = today(this.clock.now());
    findings.set('TAX_ID', checkTaxId(answers));
    findings.set('PROFILE', profile);
    findings.set('AGE', checkAge(answers, session.flow.minimumAge, day));
    findings.set('PEP_DECLARATION', checkPepDeclaration(answers));
    if (identified) {
      const { finding, hitIds: found } = await this.screening.run(session, answers, identified);
      hitIds.push(...found);
      findings.set('LISTS', finding);
    } else {
      findings.set('LISTS', missing('NOBODY_NAMED', 'lists'));
    }
    const wanted = checksOf(session.flow);
    const uploads = await this.desk.uploadsOf(session);
    const own = identified?.customerId ?? session.customerId;
    for (const [name, finding] of await this.artifacts.run(session, answers, uploads, own, wanted)) {
      findings.set(name, finding);
    }
    return findings;
  }

  private evidenceOf(session: SessionRow, findings: Findings, otherwise: Finding): EvidenceComponent[] {
    const now = new Date(this.clock.now());
    return checksOf(session.flow).map((name) => {
      const { asOf, ...finding } = findings.get(name) ?? otherwise;
      const required = session.flow.requiredChecks.includes(name);
      return { name, required, ...finding, asOf: (asOf ?? now).toISOString() };
    });
  }

  private async conclude(
    held: HeldSession,
    session: SessionRow,
    evidence: readonly EvidenceComponent[],
    customerId: string,
    hitIds: readonly string[],
  ): Promise<void> {
    const result = { ...composeResult(evidence), evidence };
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.ended(session, occurredAt, result, customerId);
    const acting = actingSystem(session.organisationId, 'sessions.checks', {
      requestId: null,
      correlationId: session.correlationId,
      traceparent: session.traceparent,
    });
    await this.uow.run(session.organisationId, async (tx) => {
      if (!(await this.work.finish(tx, held))) return;
      const endedAt = await this.sessions.conclude(tx, session, result, customerId);
      if (!endedAt) return;
      await this.audit.record(tx, [
        stepOf(acting, 'session', session.id, 'session.completed', occurredAt, {
          outcome: result.outcome,
          riskScore: result.riskScore,
          composition: result.composition,
          defensible: result.defensible,
          nonDefensibleReasons: result.nonDefensibleReasons,
          evidence: evidence.map(({ name, state }) => `${name}:${state}`),
          customerId,
        }),
      ]);
      await this.publisher.publish(tx, [event]);
      if (customerId !== session.customerId) {
        const owner = { type: 'SESSION', id: session.id } as const;
        await this.dossiers.move(tx, acting, owner, { from: session.customerId, to: customerId });
      }
      await this.conclusions.announce(tx, { ...session, customerId }, result, hitIds);
    });
  }
}
