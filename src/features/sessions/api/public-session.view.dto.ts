import { ApiPropertyOptional } from '@nestjs/swagger';
import { View } from '../../../platform/http/fields/view.js';
import {
  codeChannels,
  fieldTypes,
  questionTypes,
  stepTypes,
  type CodeChannel,
  type FieldType,
  type FlowQuestion,
  type StepType,
} from '../domain/flow/flow.js';
import { pictureFlaws, type PictureFlaw } from '../../../platform/kernel/reference/picture-flaws.js';
import type { PublicNotice } from '../domain/making/privacy-notice.js';
import { sessionStatuses, type SessionStatus } from '../domain/session.js';
import type {
  PublicOption,
  InputConstraints,
  PublicField,
  PublicQuestion,
  ItemDefinition,
  AcceptedDocument,
  Capture,
  UploadConstraints,
  Rejection,
  PublicStep,
  SessionBranding,
  PublicProgress,
  ReusableSteps,
  ResubmissionRound,
  PublicSession,
} from '../domain/public-session.js';

// The hosted page imports its types from here, so this file may import nothing but the types of the domain.

export class OptionView implements PublicOption {
  @View.text('The value of the option.') value: string;
  @View.text('The label of the option, for people.') label: string;
}

export class InputConstraintsView implements InputConstraints {
  @View.integerOrNull('The least characters.') minLength: number | null;
  @View.integerOrNull('The most characters.') maxLength: number | null;
}

export class ConditionView {
  @View.text('The id of the answer it looks at.') answer: string;
  @ApiPropertyOptional({
    description: 'The answer has to be this one.',
    oneOf: [{ type: 'string' }, { type: 'boolean' }],
  })
  equals?: string | boolean;
  @View.texts('The answer has to be one of these.', { optional: true }) in?: readonly string[];
}

const PREFILLED_VALUE = {
  description:
    'What whoever made the session has answered, where the answer weighs in results: it counts as that of the person only ' +
    'when they send it.',
  oneOf: [{ type: 'string' }, { type: 'boolean' }],
};

export class FieldView implements PublicField {
  @View.text('The id of the field.', { example: 'cpf' }) id: string;
  @View.enum(fieldTypes, 'The type of the field.') type: FieldType;
  @View.text('The label of the field, for people.') label: string;
  @View.textOrNull('What helps the person to answer.') help: string | null;
  @View.flag('Whether it has to be there.') required: boolean;
  @View.list(OptionView, 'What may be chosen.') options: readonly OptionView[];
  @View.object(InputConstraintsView, 'What is accepted here.') constraints: InputConstraintsView;

  @View.flag('Whoever made the session has answered it: the person may leave it, or answer otherwise.', {
    optional: true,
  })
  prefilled?: boolean;

  @ApiPropertyOptional(PREFILLED_VALUE)
  prefilledValue?: string | boolean;
}

export class QuestionView implements PublicQuestion {
  @View.text('The id of the question.', { example: 'pepSelf' }) id: string;
  @View.enum(questionTypes, 'The type of the question.') type: FlowQuestion['type'];
  @View.text('The label of the question, for people.') label: string;
  @View.flag('Whether it has to be there.') required: boolean;
  @View.list(OptionView, 'What may be chosen.') options: readonly OptionView[];
  @View.object(InputConstraintsView, 'What is accepted here.') constraints: InputConstraintsView;

  @View.objectOrNull(ConditionView, 'Only asked when it holds for the answers of this step and those before.')
  showIf: ConditionView | null;

  @View.flag('Whoever made the session has answered it: the person may leave it, or answer otherwise.', {
    optional: true,
  })
  prefilled?: boolean;

  @ApiPropertyOptional(PREFILLED_VALUE)
  prefilledValue?: string | boolean;
}

export class GroupItemsView implements ItemDefinition {
  @View.text('What one of them is called.', { example: 'Sócio' }) title: string;
  @View.integer('How many are needed at least.', { example: 1 }) min: number;
  @View.integer('How many are taken at most.', { example: 20 }) max: number;
  @View.list(FieldView, 'What is asked of each.') fields: readonly FieldView[];
}

export class AcceptedDocumentView implements AcceptedDocument {
  @View.text('The type of the document.', { example: 'CNH' }) type: string;
  @View.text('The label of the document, for people.') label: string;
  @View.enums(['FRONT', 'BACK'], 'Which sides of the document are asked for.') sides: readonly (
    'FRONT' | 'BACK'
  )[];
}

export class CaptureView implements Capture {
  @View.enum(['user', 'environment'], 'As in the `capture` attribute of HTML.')
  camera: 'user' | 'environment';

  @View.enums(['CAMERA', 'FILE'], 'How the file may be made.') modes: readonly ('CAMERA' | 'FILE')[];
}

export class UploadConstraintsView implements UploadConstraints {
  @View.texts('The types of files that are taken.', {
    example: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  })
  mimeTypes: readonly string[];

  @View.integer('The largest file that is taken, in bytes.', { example: 10_485_760 }) maxBytes: number;
  @View.integer('The longest side of an image, in pixels.', { example: 8_000 }) maxSidePx: number;
}

export class UploadQualityView {
  @View.flag(
    'Whether the picture is as it should be; false: the step wants another one, or took it for a person.',
  )
  ok: boolean;

  @View.enums(pictureFlaws, 'What speaks against it.', { example: ['BLURRED'] })
  reasons: readonly PictureFlaw[];

  @View.integer(
    'How many better ones are still asked for; 0: the best one was taken, and a person judges it.',
    {
      example: 2,
    },
  )
  triesLeft: number;
}

export class CodeSentView {
  @View.text('The id of the step.', { example: 'email_code' }) stepId: string;
  @View.integer('How long the code is taken.', { example: 10 }) goodForMinutes: number;
}

export class RejectionView implements Rejection {
  @View.text('A stable code; a program may rely on it.', { example: 'FILE_TYPE_UNSUPPORTED' }) code: string;
  @View.text('A sentence for people; its wording may change.') message: string;
}

export class StepView implements PublicStep {
  @View.text('The id of the step.', { example: 'person' }) id: string;
  @View.enum(stepTypes, 'The type of the step.') type: StepType;
  @View.integer('Place in the flow, from 1.', { example: 2 }) order: number;
  @View.flag('Whether it has to be there.') required: boolean;
  @View.enum(['TODO', 'DONE'], 'The status of the step.') status: 'TODO' | 'DONE';
  @View.text('The title of the step, for people.') title: string;
  @View.text('CONSENT, INFO.', { optional: true }) text?: string;
  @View.text('CONSENT: which version of the notice is shown.', { optional: true }) noticeVersion?: string;
  @View.list(FieldView, 'DATA_FORM.', { optional: true }) fields?: readonly FieldView[];
  @View.list(QuestionView, 'QUESTIONNAIRE.', { optional: true }) questions?: readonly QuestionView[];

  @View.list(AcceptedDocumentView, 'DOCUMENT_CAPTURE, PROOF_OF_ADDRESS.', { optional: true })
  acceptedDocuments?: readonly AcceptedDocumentView[];

  @View.object(CaptureView, 'Steps that take a file.', { optional: true }) capture?: CaptureView;

  @View.object(UploadConstraintsView, 'Steps that take a file.', { optional: true })
  constraints?: UploadConstraintsView;

  @View.object(GroupItemsView, 'REPEATED_GROUP.', { optional: true }) items?: GroupItemsView;

  @View.enum(codeChannels, 'ONE_TIME_CODE: how the code is sent.', { optional: true }) channel?: CodeChannel;

  @View.integer('How often something was sent for it.') attempts: number;
  @View.objectOrNull(RejectionView, 'Why the last file was not taken.') lastRejection: RejectionView | null;
}

export class SessionBrandingView implements SessionBranding {
  @View.text('The name of the institution.', { example: 'Loja Exemplo' }) name: string;
  @View.textOrNull('Where the logo is; null for none.', { format: 'uri' }) logoUrl: string | null;
  @View.textOrNull('The main colour, as `#rrggbb`.', { example: '#0B5FFF' }) primaryColor: string | null;
}

export class ProgressView implements PublicProgress {
  @View.integer('How many are done.', { example: 1 }) done: number;
  @View.integer('How many there are.', { example: 5 }) total: number;
}

export class NoticePartyView {
  @View.text('The name of the party.', { example: 'Loja Exemplo S.A.' }) name: string;
  @View.text('A CPF or CNPJ.', { example: '11.222.333/0001-81' }) document: string;
}

export class NoticeOfficerView {
  @View.text('The name of the officer.', { example: 'Ana Exemplo' }) name: string;
  @View.text('Where the encarregado is reached.', { example: 'encarregado@loja.example' }) contact: string;
}

/** The organisation's notice about personal data, in the language of the page. */
export class PrivacyNoticeView implements PublicNotice {
  @View.integer('The version that the session keeps.', { example: 3 }) version: number;
  @View.object(NoticePartyView, 'Who decides what the data is used for.') controller: NoticePartyView;
  @View.texts('What the data is used for.', { example: ['Confirmar a sua identidade, como a lei exige.'] })
  purposes: readonly string[];

  @View.text('How long it is kept.', { example: 'Dez anos depois do fim da relação.' }) retention: string;
  @View.object(NoticeOfficerView, 'The encarregado.') officer: NoticeOfficerView;

  @View.text('What becomes of photos of faces.', { example: 'A foto do seu rosto é um dado sensível.' })
  biometrics: string;

  @View.textOrNull('Where people get help; null when nobody was named.', { example: '0800 000 0000' })
  helpContact: string | null;
}

export class ReusableView implements ReusableSteps {
  @View.text('When the person was verified.', { format: 'date', example: '2026-03-02' }) verifiedOn: string;
  @View.texts('The steps that need not be done.', { example: ['document'] }) steps: readonly string[];
}

export class ResubmissionView implements ResubmissionRound {
  @View.integer('Which time this is, from 1.', { example: 1 }) round: number;
  @View.integer('How often at most.', { example: 3 }) of: number;
}

class TestPersonView {
  @View.text('The name to fill in.', { example: 'Ana Exemplo' }) name: string;
  @View.text('The CPF to fill in.', { example: '90000000130' }) cpf: string;
}

/** The data of the hosted page, without any answer. */
export class PublicSessionView implements PublicSession {
  @View.list(StepView, 'Empty once the session was submitted or is over.') steps: readonly StepView[];
  @View.text('The name of the flow.', { example: 'Cadastro de pessoa física' }) flowName: string;
  @View.object(SessionBrandingView, 'How the institution shows itself: name, logo and colour.')
  branding: SessionBrandingView;
  @View.enum(sessionStatuses, 'The status of the session.') status: SessionStatus;
  @View.instant('While PENDING.', { optional: true }) expiresAt?: string;

  @View.textOrNull('Where to go on; null when everything is done. While PENDING.', {
    optional: true,
    example: 'person',
  })
  currentStepId?: string | null;

  @View.object(ProgressView, 'While PENDING.', { optional: true }) progress?: ProgressView;

  @View.object(PrivacyNoticeView, 'While PENDING, when the organisation has one.', { optional: true })
  privacyNotice?: PrivacyNoticeView;

  @View.object(ResubmissionView, 'When the steps are asked for again; why, is in `lastRejection` of each.', {
    optional: true,
  })
  resubmission?: ResubmissionView;

  @View.object(
    ReusableView,
    'An earlier verification that may be used if the person agrees: `POST /kyc-sessions/{id}/reuse`.',
    { optional: true },
  )
  reusable?: ReusableView;

  @View.text('Where to lead the person when everything is sent, if whoever made the session said so.', {
    optional: true,
    format: 'uri',
    example: 'https://loja.example/cadastro/fim',
  })
  redirectUrl?: string;

  @View.flag('Of a draft that is looked at: nothing that is typed is kept.', { optional: true })
  preview?: boolean;

  @View.object(
    TestPersonView,
    'Sandbox only, while PENDING, for a customer with a magic document: as whom the checks compare.',
    { optional: true },
  )
  testPerson?: TestPersonView;

  @View.text('Once submitted: the number that names the session to whoever helps. It opens nothing.', {
    optional: true,
    example: '20261120-7F3K9Q2M',
  })
  protocol?: string;
}
