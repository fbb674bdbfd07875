import type { CodeChannel, AnswerCondition, FieldType, FlowQuestion, StepType } from './flow/flow.js';
import type { PublicNotice } from './making/privacy-notice.js';
import type { SessionStatus } from './session.js';

export interface PublicOption {
  readonly value: string;
  readonly label: string;
}

export interface InputConstraints {
  readonly minLength: number | null;
  readonly maxLength: number | null;
}

export interface PublicField {
  readonly id: string;
  readonly type: FieldType;
  readonly label: string;
  readonly help: string | null;
  readonly required: boolean;
  readonly options: readonly PublicOption[];
  readonly constraints: InputConstraints;
  readonly prefilled?: boolean;
  readonly prefilledValue?: string | boolean;
}

export interface PublicQuestion {
  readonly id: string;
  readonly type: FlowQuestion['type'];
  readonly label: string;
  readonly required: boolean;
  readonly options: readonly PublicOption[];
  readonly constraints: InputConstraints;
  readonly showIf: AnswerCondition | null;
  readonly prefilled?: boolean;
  readonly prefilledValue?: string | boolean;
}

export interface ItemDefinition {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly fields: readonly PublicField[];
}

export interface AcceptedDocument {
  readonly type: string;
  readonly label: string;
  readonly sides: readonly ('FRONT' | 'BACK')[];
}

export interface Capture {
  readonly camera: 'user' | 'environment';
  readonly modes: readonly ('CAMERA' | 'FILE')[];
}

export interface UploadConstraints {
  readonly mimeTypes: readonly string[];
  readonly maxBytes: number;
  readonly maxSidePx: number;
}

export interface Rejection {
  readonly code: string;
  readonly message: string;
}

export interface PublicStep {
  readonly id: string;
  readonly type: StepType;
  readonly order: number;
  readonly required: boolean;
  readonly status: 'TODO' | 'DONE';
  readonly title: string;
  readonly text?: string;
  readonly noticeVersion?: string;
  readonly fields?: readonly PublicField[];
  readonly questions?: readonly PublicQuestion[];
  readonly acceptedDocuments?: readonly AcceptedDocument[];
  readonly capture?: Capture;
  readonly constraints?: UploadConstraints;
  readonly items?: ItemDefinition;
  readonly channel?: CodeChannel;
  readonly attempts: number;
  readonly lastRejection: Rejection | null;
}

export interface SessionBranding {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly primaryColor: string | null;
}

export interface PublicProgress {
  readonly done: number;
  readonly total: number;
}

export interface ReusableSteps {
  readonly verifiedOn: string;
  readonly steps: readonly string[];
}

export interface ResubmissionRound {
  readonly round: number;
  readonly of: number;
}

/** A made-up customer of the sandbox, as whom the checks pass. */
export interface TestPerson {
  readonly name: string;
  readonly cpf: string;
}

/** The data of the hosted page. It contains no answers. */
export interface PublicSession {
  readonly steps: readonly PublicStep[];
  readonly flowName: string;
  readonly branding: SessionBranding;
  readonly status: SessionStatus;
  readonly expiresAt?: string;
  readonly currentStepId?: string | null;
  readonly progress?: PublicProgress;
  readonly privacyNotice?: PublicNotice;
  readonly resubmission?: ResubmissionRound;
  readonly reusable?: ReusableSteps;
  readonly redirectUrl?: string;
  readonly preview?: boolean;
  readonly testPerson?: TestPerson;
  readonly protocol?: string;
}
