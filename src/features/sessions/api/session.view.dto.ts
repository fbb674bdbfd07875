import { View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { evidenceStates, type EvidenceComponent } from '../domain/checks/evidence.js';
import { UploadQualityView } from './public-session.view.dto.js';
import { checkNames } from '../domain/flow/flow.js';
import { sessionOutcomes, sessionStatuses, sessionTriggers, statusReasons } from '../domain/session.js';
import type { SubmissionReceipt } from '../link/public-session.service.js';
import type { StepUploadResult } from '../link/session-uploads.service.js';
import type { IssuedLink } from '../session-issuer.service.js';
import { protocolNumberOf } from '../domain/making/protocol.js';
import type { SessionRow } from '../domain/records.js';

export class IssuedLinkView {
  @View.text('The session. Whoever has it can act in it: keep it out of logs and analytics.')
  sessionId: string;

  @View.text('The page for the person; as sensitive as the id.', { format: 'uri' }) url: string;
  @View.instant('Until when the link is valid.') expiresAt: string;

  @View.id('kys', 'Names the session without opening it: for tickets and logs.') reference: string;

  static of({ id, sessionId, url, expiresAt }: IssuedLink): IssuedLinkView {
    return { sessionId, url, expiresAt: expiresAt.toISOString(), reference: publicId('kys', id) };
  }
}

export class SubmittedView {
  @View.text('The id of the session.') sessionId: string;
  @View.enum(['PROCESSING'], 'The status of the session.') status: 'PROCESSING';
  @View.instant('When it was submitted; null before.') submittedAt: string;

  static of(sessionId: string, { submittedAt }: SubmissionReceipt): SubmittedView {
    return { sessionId, status: 'PROCESSING', submittedAt: submittedAt.toISOString() };
  }
}

export class UploadedView {
  @View.id('art', 'The id of the uploaded file.') artifactId: string;
  @View.textOrNull('The id of the step.', { example: 'document' }) stepId: string | null;
  @View.enum(['DOCUMENT', 'SELFIE', 'PROOF_OF_ADDRESS', 'ATTACHMENT'], 'The kind of file.') kind: string;
  @View.enumOrNull(['FRONT', 'BACK'], 'Which side of the document.') side: string | null;
  @View.enum(['image/jpeg', 'image/png', 'image/webp', 'application/pdf'], 'The type of the file.')
  mimeType: string;
  @View.integer('The size in bytes.') sizeBytes: number;
  @View.text('Of the bytes as they came, in hexadecimal.') sha256: string;
  @View.flag('Whether it is in the dossier; false: an operator links it.') linked: boolean;
  @View.instant('When it was received.') receivedAt: string;

  @View.object(UploadQualityView, 'Only when something speaks against the picture.', { optional: true })
  quality?: UploadQualityView;

  static of({ artifact, flaws, triesLeft }: StepUploadResult): UploadedView {
    const { id, stepId, kind, side, mimeType, sizeBytes, facts, customerId, createdAt } = artifact;
    return {
      artifactId: publicId('art', id),
      stepId,
      kind,
      side,
      mimeType,
      sizeBytes,
      sha256: facts.sha256,
      linked: customerId !== null,
      receivedAt: createdAt.toISOString(),
      ...(flaws.length > 0 && { quality: { ok: false, reasons: flaws, triesLeft } }),
    };
  }
}

export class EvidenceView {
  @View.enum(checkNames, 'The name of the input.') name: string;
  @View.enum(evidenceStates, 'The state of the input.') state: string;
  @View.flag('Whether the result needs it to be defensible.') required: boolean;
  @View.textOrNull('Why it is in this state.', { example: 'PROVIDER_ABSENT' }) reason: string | null;
  @View.text('Where the input comes from.', { example: 'built-in' }) source: string;
  @View.instant('The instant for which it holds.') asOf: string;
  @View.integer('How many points it adds to the score.') points: number;

  @View.texts('What weakens it: a code that nobody verified, providers that did not answer.', { example: [] })
  remarks: readonly string[];

  static of(component: EvidenceComponent): EvidenceView {
    const { name, state, required, reason, source, asOf, points, remarks = [] } = component;
    return { name, state, required, reason, source, asOf, points, remarks };
  }
}

export class SessionDecisionView {
  @View.enum(['APPROVED', 'REJECTED'], 'The outcome.') outcome: string;
  @View.enum(['PERSON'], 'Who or what decided it.') by: 'PERSON';
  @View.instant('When it was decided.') decidedAt: string;
}

export class SessionResultView {
  @View.enum(sessionOutcomes, 'What a person decided, or else what the checks came to.') outcome: string;

  @View.integer('Left out where there is none.', { optional: true, minimum: 0, maximum: 100 })
  riskScore?: number;

  @View.enum(['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'], 'Whether the score has all that it needs.')
  composition: string;
  @View.flag('Whether the score can be defended.') defensible: boolean;
  @View.texts('Why the score cannot be defended; empty when it can.', {
    example: ['FACE_MATCH_MISSING_INPUT'],
  })
  nonDefensibleReasons: readonly string[];
  @View.list(EvidenceView, 'What speaks for it, with its source.') evidence: readonly EvidenceView[];
}

/** A session for the application or operator that created it, without answers and images. */
export class SessionView {
  @View.id('kys', 'Names it without opening it.') reference: string;
  @View.textOrNull('The capability; null for those who may not make links.') sessionId: string | null;
  @View.textOrNull('While PENDING; null as `sessionId`.', { format: 'uri' }) url: string | null;
  @View.enum(sessionStatuses, 'The status of the session.') status: string;
  @View.of({ enum: statusReasons, type: String, nullable: true }, 'Why it stands there.')
  statusReason: string | null;
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.text('The key of the flow.', { example: 'onboarding-pf' }) flowKey: string;
  @View.integer('The version of the flow.') flowVersion: number;
  @View.text('The name of the flow.') flowName: string;
  @View.enum(sessionTriggers, 'What led to it.') trigger: string;
  @View.textOrNull('The transaction whose rule asked for it.') transactionRef: string | null;
  @View.integer('1, or more when it is another attempt.') attempt: number;
  @View.integer('1, and one more each time that steps were asked for again.', { example: 1 }) round: number;

  @View.text('The number that the person is given at the end.', { example: '20261120-7F3K9Q2M' })
  protocol: string;

  @View.integerOrNull('The version of the privacy notice that it shows, and that is accepted with it.', {
    example: 3,
  })
  privacyNoticeVersion: number | null;

  @View.textOrNull('`reference` of the session of the company that it belongs to.') parentReference:
    string | null;
  @View.textOrNull('`reference` of the verified session whose evidence it takes over.')
  reusedReference: string | null;

  @View.textByName('What whoever made it gave along.', { example: { order: '4711' } })
  metadata: Readonly<Record<string, string>>;

  @View.textOrNull('`reference` of the session before.') previousReference: string | null;
  @View.instant('When the session was created.') createdAt: string;
  @View.instant('Until when the session is valid.') expiresAt: string;
  @View.instantOrNull('When it was submitted; null before.') submittedAt: string | null;
  @View.instantOrNull('When the session ended; null while it is open.') endedAt: string | null;
  @View.objectOrNull(SessionResultView, 'What came of it.') result: SessionResultView | null;

  @View.objectOrNull(SessionDecisionView, 'What a person decided about a session that had to be looked at.')
  decision: SessionDecisionView | null;

  /** `link` is null if the caller may not create links. */
  static of(
    session: SessionRow,
    link: { readonly sessionId: string; readonly url: string } | null,
    metadata: Readonly<Record<string, string>>,
  ): SessionView {
    return viewOf(SessionView, session, {
      reference: publicId('kys', session.id),
      sessionId: link?.sessionId ?? null,
      url: link && session.status === 'PENDING' ? link.url : null,
      flowName: session.flow.name['pt-BR'],
      transactionRef: session.transactionRef === null ? null : publicId('txn', session.transactionRef),
      protocol: protocolNumberOf(session.id),
      privacyNoticeVersion: session.noticeVersion,
      parentReference: referenceOrNull(session.parentSessionId),
      reusedReference: referenceOrNull(session.reusedSessionId),
      metadata,
      previousReference: referenceOrNull(session.previousSessionId),
      result: resultOf(session),
      decision: decisionOf(session),
    });
  }
}

const referenceOrNull = (id: string | null): string | null => (id === null ? null : publicId('kys', id));

function decisionOf({ decidedOutcome, decidedAt }: SessionRow): SessionDecisionView | null {
  return decidedOutcome === null || decidedAt === null
    ? null
    : { outcome: decidedOutcome, by: 'PERSON', decidedAt: decidedAt.toISOString() };
}

function resultOf(session: SessionRow): SessionResultView | null {
  const { outcome, composition, defensible, riskScore, nonDefensibleReasons, evidence } = session;
  if (outcome === null || composition === null || defensible === null) return null;
  return {
    outcome,
    ...(riskScore === null ? {} : { riskScore }),
    composition,
    defensible,
    nonDefensibleReasons,
    evidence: evidence.map((one) => EvidenceView.of(one)),
  };
}
