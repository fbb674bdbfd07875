import { Injectable } from '@nestjs/common';
import {
  CustomerIdentificationService,
  CustomersService,
  type CustomerWithIdentification,
} from '../../customers/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { today } from '../../screening/index.js';
import { ArtifactChecksService } from './artifact-checks.service.js';
import {
  checkAge,
  checkContact,
  checkPepDeclaration,
  checkProfile,
  checksOfFlow,
  checkTaxId,
  errorFinding,
  missingInputFinding,
  type CheckFinding,
} from '../domain/checks/built-in-checks.js';
import { documentExpiryOf } from '../domain/checks/document-data.js';
import type { EvidenceComponent } from '../domain/checks/evidence.js';
import { checkOwners, type CheckedOwner } from '../domain/checks/owners.js';
import type { Answers, CheckName, FlowStep } from '../domain/flow/flow.js';
import { namedPeople, roleOf, declaredSubject, type DeclaredSubject } from '../domain/flow/roles.js';
import { stepUpStateOf } from '../domain/step-up.js';
import type { SessionRow } from '../domain/records.js';
import { SessionPeopleService, type ScreenedPerson } from '../people/session-people.service.js';
import { ScreeningCheckService } from './screening-check.service.js';
import { SessionAnswersService } from '../link/session-answers.service.js';

interface IdentifiedCustomer {
  readonly customerId: string;
  readonly subjectIndex: Buffer;
}

/** The findings of the checks of a session, and the customer whom they identified. */
export interface SessionEvidence {
  readonly evidence: readonly EvidenceComponent[];
  readonly customerId: string;
  readonly hitIds: readonly string[];
  readonly people: readonly ScreenedPerson[];
  /** Last day of validity of the document, `YYYY-MM-DD`; null if unknown. */
  readonly documentExpiresOn: string | null;
  /** Null when the person was erased meanwhile. */
  readonly answers: Answers | null;
}

interface CollectedFindings {
  readonly findings: Map<CheckName, CheckFinding>;
  hitIds: readonly string[];
  people: readonly ScreenedPerson[];
  documentExpiresOn: string | null;
}

/** Identifies the person who submitted a session, and runs the checks. Safe to repeat. */
@Injectable()
export class SessionFindingsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly identification: CustomerIdentificationService,
    private readonly screening: ScreeningCheckService,
    private readonly artifacts: ArtifactChecksService,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly people: SessionPeopleService,
    private readonly clock: Clock,
  ) {}

  /** Runs the checks of a session. With `givenUp`, runs none and reports an error for every check. */
  async collect(session: SessionRow, givenUp: boolean): Promise<SessionEvidence> {
    const answers = await this.sessionAnswers.readAnswers(session);
    const subject = answers && !givenUp ? declaredSubject(session.flow, answers) : null;
    const customer = await this.customers.find(session.organisationId, session.customerId);
    // Compares the profile before the identification, which may write the answers into it.
    const profile = subject ? checkProfile(subject, customer?.profile ?? null) : null;
    const identified = subject ? await this.identify(session, subject, customer, profile) : null;
    const collectedFindings: CollectedFindings = {
      findings: new Map(),
      hitIds: [],
      people: [],
      documentExpiresOn: null,
    };
    if (answers && subject && profile) {
      await this.runChecks(session, answers, subject, profile, identified, collectedFindings);
    }
    const otherwise = givenUp ? errorFinding('CHECKS_FAILED') : missingInputFinding('SUBJECT_ERASED');
    const { findings, hitIds, people, documentExpiresOn } = collectedFindings;
    const evidence = this.evidenceOf(session, findings, answers ? errorFinding('CHECKS_FAILED') : otherwise);
    const customerId = identified?.customerId ?? session.customerId;
    return { evidence, customerId, hitIds, people, documentExpiresOn, answers };
  }

  /** Identifies the person: the customer of the link, or the customer with the document in the answers. */
  private async identify(
    session: SessionRow,
    { taxId, name, birthDate }: DeclaredSubject,
    customer: CustomerWithIdentification | null,
    profile: CheckFinding | null,
  ): Promise<IdentifiedCustomer | null> {
    const own = customer && { customerId: customer.id, subjectIndex: customer.subjectIndex };
    // An answer with another document must not change the identity of this customer record.
    if (!taxId || profile?.reason === 'DOCUMENT_DIFFERS') return own;
    const confirmed = await this.identification.attachDocument(session.customerId, {
      organisationId: session.organisationId,
      clientAppId: session.clientAppId,
      externalCustomerId: null,
      ...{ taxId, name, birthDate },
      by: 'SESSION',
      requestId: null,
      correlationId: session.correlationId,
      traceparent: session.traceparent,
    });
    return confirmed ?? own;
  }

  private async runChecks(
    session: SessionRow,
    answers: Answers,
    said: DeclaredSubject,
    profile: CheckFinding,
    identified: IdentifiedCustomer | null,
    found: CollectedFindings,
  ): Promise<void> {
    const { findings } = found;
    const day = today(this.clock.now());
    findings.set('TAX_ID', checkTaxId(said));
    findings.set('PROFILE', profile);
    findings.set('AGE', checkAge(said, session.flow.minimumAge, day));
    findings.set('PEP_DECLARATION', checkPepDeclaration(said));
    findings.set('CONTACT', checkContact(hasProvedContact(session.flow.steps, answers)));
    const people = await this.people.identify(session, namedPeople(session.flow, answers));
    if (identified) {
      const screened = await this.screening.run(session, said, identified, people);
      Object.assign(found, { hitIds: screened.hitIds, people: screened.people });
      findings.set('LISTS', screened.finding);
      findings.set('OWNERS', await this.checkCompanyOwners(session, screened.people));
    } else {
      findings.set('LISTS', missingInputFinding('NOBODY_NAMED', 'lists'));
    }
    const uploads = await this.sessionAnswers.listUploadsForChecks(session);
    const customerId = identified?.customerId ?? session.customerId;
    const files = await this.artifacts.run(
      session,
      said,
      uploads,
      customerId,
      checksOfFlow(session.flow),
      day,
    );
    for (const [name, finding] of files.findings) findings.set(name, finding);
    found.documentExpiresOn = documentExpiryOf(said, files.read, day);
  }

  private async checkCompanyOwners(
    session: SessionRow,
    people: readonly ScreenedPerson[],
  ): Promise<CheckFinding> {
    const children = people.length > 0 ? await this.people.listPeopleSessions(session) : [];
    const owners = people.map(({ stepId, as, share, taxId, hitIds, screened, identified }): CheckedOwner => {
      const step = session.flow.steps.find(({ id }) => id === stepId);
      const isNeeded = step?.type === 'REPEATED_GROUP' && step.people?.session?.required === true;
      const child = children.findLast(({ customerId }) => customerId === identified?.customerId);
      const state = child ? stepUpStateOf(child) : 'OPEN';
      return {
        ...{ as, share, hasTaxId: taxId !== null, screened, hits: hitIds.length },
        session: !isNeeded
          ? 'NOT_NEEDED'
          : state === 'PASSED'
            ? 'APPROVED'
            : state === 'OPEN'
              ? 'OPEN'
              : 'OTHER',
      };
    });
    return checkOwners(owners, session.flow.steps.some(asksForShares));
  }

  private evidenceOf(
    session: SessionRow,
    findings: ReadonlyMap<CheckName, CheckFinding>,
    otherwise: CheckFinding,
  ): EvidenceComponent[] {
    const now = new Date(this.clock.now());
    return checksOfFlow(session.flow).map((name) => {
      const { asOf, ...finding } = findings.get(name) ?? otherwise;
      const required = session.flow.requiredChecks.includes(name);
      return { name, required, ...finding, asOf: (asOf ?? now).toISOString() };
    });
  }
}

const asksForShares = (step: FlowStep): boolean =>
  step.type === 'REPEATED_GROUP' &&
  step.people?.as === 'OWNER' &&
  step.fields.some((field) => roleOf(field) === 'SHARE');

/** True if every address that got a one-time code was confirmed with it. */
function hasProvedContact(steps: readonly FlowStep[], answers: Answers): boolean {
  const codes = steps.filter(({ type }) => type === 'ONE_TIME_CODE');
  return codes.length > 0 && codes.every(({ id }) => answers[id] === true);
}
