import { CustomerVerificationEntity } from './customer-verification.entity.js';
import { SessionCodeEntity } from './session-code.entity.js';
import { SessionDecisionEntity } from './session-decision.entity.js';
import { SessionPersonEntity } from './session-person.entity.js';
import { SessionRoundEntity } from './session-round.entity.js';
import { SessionStepEntity } from './session-step.entity.js';
import { SessionTransactionEntity } from './session-transaction.entity.js';
import { SessionUploadEntity } from './session-upload.entity.js';
import { SessionWorkEntity } from './session-work.entity.js';
import { SessionEntity } from './session.entity.js';
import { AppLogoEntity } from './settings/app-logo.entity.js';
import { FlowDraftEntity } from './settings/flow-draft.entity.js';
import { FlowEntity } from './settings/flow.entity.js';
import { PrivacyNoticeEntity } from './settings/privacy-notice.entity.js';
import { ReverificationTermsEntity } from './settings/reverification-terms.entity.js';
import { StepVisitEntity } from './settings/step-visit.entity.js';

export const sessionsEntities = [
  CustomerVerificationEntity,
  SessionCodeEntity,
  SessionDecisionEntity,
  SessionPersonEntity,
  SessionRoundEntity,
  SessionStepEntity,
  SessionTransactionEntity,
  SessionUploadEntity,
  SessionWorkEntity,
  SessionEntity,
  AppLogoEntity,
  FlowDraftEntity,
  FlowEntity,
  PrivacyNoticeEntity,
  ReverificationTermsEntity,
  StepVisitEntity,
];
