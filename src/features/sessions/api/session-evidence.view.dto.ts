import { View } from '../../../platform/http/index.js';
import { pick, publicId } from '../../../platform/kernel/index.js';
import { pictureFlaws, type PictureFlaw } from '../../../platform/kernel/reference/picture-flaws.js';
import { artifactMimeTypes, ImageQualityView } from '../../uploads/index.js';
import type { AssessedPicture } from '../domain/flow/tries.js';
import type { FullEvidence, StepEvidence } from '../evidence/session-evidence-reader.service.js';
import { stepTypes, textInLanguage } from '../domain/flow/flow.js';
import { sessionStatuses } from '../domain/session.js';
import { EvidenceView } from './session.view.dto.js';

export class GivenAnswerView {
  @View.text('The id of the field, question or consent.', { example: 'monthlyIncome' }) id: string;
  @View.text('The label of the answer, for people.', { example: 'Renda mensal (R$)' }) label: string;
  @View.text('The type of the answer.', { example: 'AMOUNT' }) type: string;
  @View.textOrNull('Null when it was not answered.', { example: '4800.00' }) text: string | null;
  @View.flag('Whether only `reveal` shows it in full.', { example: false }) masked: boolean;
}

export class CodeReadView {
  @View.text('The format in which it is written.', { example: 'QRCode' }) format: string;
  @View.textOrNull('What the code says; null where answers are masked.', { example: null }) text:
    string | null;
}

export class RejectedFileView {
  @View.textOrNull('Why it was not taken, as a code.', { example: 'FILE_TYPE_NOT_ALLOWED' }) reason:
    string | null;
  @View.instant('When it happened.') at: string;
}

export class EvidenceFileView {
  @View.id('art', 'For `GET /operator/artifacts/{id}`.') id: string;
  @View.enum(['DOCUMENT', 'SELFIE', 'PROOF_OF_ADDRESS', 'ATTACHMENT'], 'The kind of file.') kind: string;
  @View.textOrNull('The kind of document.', { example: 'CNH' }) documentType: string | null;
  @View.enumOrNull(['FRONT', 'BACK'], 'Which side of the document.') side: string | null;
  @View.enum(artifactMimeTypes, 'The type of the file.', { example: 'image/jpeg' }) mimeType: string;
  @View.integerOrNull('Null for an image.', { example: null }) pages: number | null;
  @View.objectOrNull(ImageQualityView, 'What was seen of the quality of the image.')
  quality: ImageQualityView | null;
  @View.enums(pictureFlaws, 'What speaks against the picture.', { example: [] })
  flaws: readonly PictureFlaw[];

  @View.flag('Whether the checks looked at it; false: another one stands in its place, or was asked for.', {
    example: true,
  })
  counts: boolean;

  @View.list(CodeReadView, 'The codes that were found.') codes: readonly CodeReadView[];
  @View.instant('When it was received.') receivedAt: string;

  static of({ file, flaws, counts }: AssessedPicture, revealed: boolean): EvidenceFileView {
    return {
      id: publicId('art', file.id),
      ...pick(file, 'kind', 'documentType', 'side', 'mimeType', 'pages'),
      quality: file.facts?.quality ?? null,
      ...{ flaws, counts },
      codes: (file.facts?.barcodes ?? []).map(({ format, text }) => ({
        format,
        text: revealed ? text : null,
      })),
      receivedAt: file.createdAt.toISOString(),
    };
  }
}

export class StepEvidenceView {
  @View.text('The id of the step.', { example: 'person' }) stepId: string;
  @View.enum(stepTypes, 'The type of the step.') type: string;
  @View.text('The title of the step, for people.', { example: 'Dados pessoais' }) title: string;
  @View.list(GivenAnswerView, 'What was answered.') answers: readonly GivenAnswerView[];
  @View.list(EvidenceFileView, 'The uploaded files.') files: readonly EvidenceFileView[];
  @View.list(RejectedFileView, 'Files that were not taken.') rejected: readonly RejectedFileView[];

  static of({ step, answers, files, rejections }: StepEvidence, revealed: boolean): StepEvidenceView {
    return {
      stepId: step.id,
      type: step.type,
      title: textInLanguage(step.title, 'pt-BR'),
      answers,
      files: files.map((file) => EvidenceFileView.of(file, revealed)),
      rejected: rejections.map(({ rejection, createdAt }) => ({
        reason: rejection,
        at: createdAt.toISOString(),
      })),
    };
  }
}

/** The answers and files of a person in a session, and the findings of the checks. */
export class SessionEvidenceView {
  @View.id('kys', 'Names it without opening it.') reference: string;
  @View.enum(sessionStatuses, 'The status of the session.') status: string;
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.flag('Whether answers and codes are in full.', { example: false }) revealed: boolean;
  @View.flag('The person was erased: no answer can be read any more.', { example: false }) erased: boolean;
  @View.list(StepEvidenceView, 'The steps, in their order.') steps: readonly StepEvidenceView[];
  @View.list(GivenAnswerView, 'Answers that the flow did not ask for.') answers: readonly GivenAnswerView[];
  @View.list(EvidenceFileView, 'Files of no step.') files: readonly EvidenceFileView[];
  @View.list(EvidenceView, 'What was checked, and what each check said.') checks: readonly EvidenceView[];

  static of({ session, revealed, erased, ...rest }: FullEvidence): SessionEvidenceView {
    return {
      reference: publicId('kys', session.id),
      status: session.status,
      customerId: publicId('cus', session.customerId),
      revealed,
      erased,
      steps: rest.steps.map((step) => StepEvidenceView.of(step, revealed)),
      answers: rest.answers,
      files: rest.files.map((file) => EvidenceFileView.of(file, revealed)),
      checks: session.evidence.map((one) => EvidenceView.of(one)),
    };
  }
}
