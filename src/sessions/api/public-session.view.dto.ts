import { ApiPropertyOptional } from '@nestjs/swagger';
import { View } from '../../http/fields/view.js';
import {
  fieldTypes,
  questionTypes,
  stepTypes,
  type FieldType,
  type Question,
  type StepType,
} from '../domain/flow/flow.js';
import { sessionStatuses, type SessionStatus } from '../domain/session.js';

// The page of a session takes its types from here, so nothing but the words of the domain is imported.

export class OptionView {
  @View.text() value: string;
  @View.text() label: string;
}

export class InputConstraintsView {
  @View.integerOrNull() minLength: number | null;
  @View.integerOrNull() maxLength: number | null;
}

export class ConditionView {
  @View.text('The id of the answer it looks at.') answer: string;
  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, { type: 'boolean' }] }) equals?: string | boolean;
  @View.texts({ optional: true }) in?: readonly string[];
}

export class FieldView {
  @View.text({ example: 'cpf' }) id: string;
  @View.enum(fieldTypes) type: FieldType;
  @View.text() label: string;
  @View.textOrNull() help: string | null;
  @View.flag() required: boolean;
  @View.list(OptionView) options: readonly OptionView[];
  @View.object(InputConstraintsView) constraints: InputConstraintsView;
}

export class QuestionView {
  @View.text({ example: 'pepSelf' }) id: string;
  @View.enum(questionTypes) type: Question['type'];
  @View.text() label: string;
  @View.flag() required: boolean;
  @View.list(OptionView) options: readonly OptionView[];
  @View.object(InputConstraintsView) constraints: InputConstraintsView;

  @View.objectOrNull(ConditionView, 'Only asked when it holds for the answers of this step and those before.')
  showIf: ConditionView | null;
}

export class AcceptedDocumentView {
  @View.text({ example: 'CNH' }) type: string;
  @View.text() label: string;
  @View.enums(['FRONT', 'BACK']) sides: readonly ('FRONT' | 'BACK')[];
}

export class CaptureView {
  @View.enum(['user', 'environment'], 'As in the `capture` attribute of HTML.')
  camera: 'user' | 'environment';

  @View.enums(['CAMERA', 'FILE']) modes: readonly ('CAMERA' | 'FILE')[];
}

export class UploadConstraintsView {
  @View.texts({ example: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] })
  mimeTypes: readonly string[];

  @View.integer({ example: 10_485_760 }) maxBytes: number;
  @View.integer({ example: 8_000 }) maxSidePx: number;
}

export class RejectionView {
  @View.text({ example: 'FILE_TYPE_UNSUPPORTED' }) code: string;
  @View.text() message: string;
}

export class StepView {
  @View.text({ example: 'person' }) id: string;
  @View.enum(stepTypes) type: StepType;
  @View.integer('Place in the flow, from 1.', { example: 2 }) order: number;
  @View.flag() required: boolean;
  @View.enum(['TODO', 'DONE']) status: 'TODO' | 'DONE';
  @View.text() title: string;
  @View.text('CONSENT, INFO.', { optional: true }) text?: string;
  @View.text('CONSENT: which version of the notice is shown.', { optional: true }) noticeVersion?: string;
  @View.list(FieldView, 'DATA_FORM.', { optional: true }) fields?: readonly FieldView[];
  @View.list(QuestionView, 'QUESTIONNAIRE.', { optional: true }) questions?: readonly QuestionView[];

  @View.list(AcceptedDocumentView, 'DOCUMENT_CAPTURE, PROOF_OF_ADDRESS.', { optional: true })
  acceptedDocuments?: readonly AcceptedDocumentView[];

  @View.object(CaptureView, 'Steps that take a file.', { optional: true }) capture?: CaptureView;

  @View.object(UploadConstraintsView, 'Steps that take a file.', { optional: true })
  constraints?: UploadConstraintsView;

  @View.integer('How often something was sent for it.') attempts: number;
  @View.objectOrNull(RejectionView, 'Why the last file was not taken.') lastRejection: RejectionView | null;
}

export class SessionBrandingView {
  @View.text({ example: 'Loja Exemplo' }) name: string;
  @View.textOrNull({ format: 'uri' }) logoUrl: string | null;
  @View.textOrNull({ example: '#0B5FFF' }) primaryColor: string | null;
}

export class ProgressView {
  @View.integer({ example: 1 }) done: number;
  @View.integer({ example: 5 }) total: number;
}

/** The data of the page. No answer is in it. */
export class PublicSessionView {
  @View.list(StepView, 'Empty once the session was submitted or is over.') steps: readonly StepView[];
  @View.text({ example: 'Cadastro de pessoa física' }) flowName: string;
  @View.object(SessionBrandingView) branding: SessionBrandingView;
  @View.enum(sessionStatuses) status: SessionStatus;
  @View.instant('While PENDING.', { optional: true }) expiresAt?: string;

  @View.textOrNull('Where to go on; null when everything is done. While PENDING.', {
    optional: true,
    example: 'person',
  })
  currentStepId?: string | null;

  @View.object(ProgressView, 'While PENDING.', { optional: true }) progress?: ProgressView;
}
