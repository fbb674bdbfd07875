import { Injectable } from '@nestjs/common';
import { CustomerIdentification, CustomersService, type FoundCustomer } from '../../customers/index.js';
import { Clock } from '../../kernel/index.js';
import { today } from '../../screening/index.js';
import { ArtifactChecks } from './artifact-checks.service.js';
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
} from '../domain/checks/built-in-checks.js';
import type { EvidenceComponent } from '../domain/checks/evidence.js';
import type { Answers, CheckName } from '../domain/flow/flow.js';
import type { SessionRow } from '../domain/records.js';
import { ScreeningCheck } from './screening-check.service.js';
import { SessionAnswers } from '../link/session-answers.service.js';

type Findings = ReadonlyMap<CheckName, Finding>;

interface Identified {
  readonly customerId: string;
  readonly subjectIndex: Buffer;
}

/** The findings that the checks of a session have found, and about whom. */
export interface SessionEvidence {
  readonly evidence: readonly EvidenceComponent[];
  readonly customerId: string;
  readonly hitIds: readonly string[];
  /** Null when the person was erased meanwhile. */
  readonly answers: Answers | null;
}

/** Finds out who has submitted a session, and runs its checks. Safe to repeat. */
@Injectable()
export class SessionFindings {
  constructor(
    private readonly customers: CustomersService,
    private readonly identification: CustomerIdentification,
    private readonly screening: ScreeningCheck,
    private readonly artifacts: ArtifactChecks,
    private readonly given: SessionAnswers,
    private readonly clock: Clock,
  ) {}

  /** With `givenUp` nothing is checked any more: every check has failed. */
  async of(session: SessionRow, givenUp: boolean): Promise<SessionEvidence> {
    const answers = await this.given.answersOf(session);
    const customer = await this.customers.find(session.organisationId, session.customerId);
    // Compared with what was known before the person is identified: afterwards everything agrees with itself.
    const profile = answers && !givenUp ? checkProfile(answers, customer?.profile ?? null) : null;
    const identified = answers && !givenUp ? await this.identify(session, answers, customer, profile) : null;
    const hitIds: string[] = [];
    const findings = givenUp
      ? new Map<CheckName, Finding>()
      : await this.judge(session, answers, profile, identified, hitIds);
    const otherwise = givenUp ? failed('CHECKS_FAILED') : missing('SUBJECT_ERASED');
    const evidence = this.evidenceOf(session, findings, answers ? failed('CHECKS_FAILED') : otherwise);
    return { evidence, customerId: identified?.customerId ?? session.customerId, hitIds, answers };
  }

  /** Who the person is: the customer of the link, or the one whose document was shown. */
  private async identify(
    session: SessionRow,
    answers: Answers,
    customer: FoundCustomer | null,
    profile: Finding | null,
  ): Promise<Identified | null> {
    const own = customer && { customerId: customer.id, subjectIndex: customer.subjectIndex };
    const taxId = taxIdIn(answers);
    // Somebody else's statement must not change whose record this is.
    if (!taxId || profile?.reason === 'DOCUMENT_DIFFERS') return own;
    const name = answers['name'];
    const birthDate = answers['birthDate'];
    const confirmed = await this.identification.confirm(session.customerId, {
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

  private async judge(
    session: SessionRow,
    answers: Answers | null,
    profile: Finding | null,
    identified: Identified | null,
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
    const uploads = await this.given.uploadsOf(session);
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
}
