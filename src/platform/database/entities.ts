import { ApprovalEntity } from '../../features/approvals/store/entities/approval.entity.js';
import { AuditAnchorEntity } from '../../features/audit/store/entities/watch/audit-anchor.entity.js';
import { AuditCheckpointEntity } from '../../features/audit/store/entities/audit-checkpoint.entity.js';
import { AuditEntryEntity } from '../../features/audit/store/entities/audit-entry.entity.js';
import { AuditExportLeafEntity } from '../../features/audit/store/entities/exports/audit-export-leaf.entity.js';
import { AuditExportPieceEntity } from '../../features/audit/store/entities/exports/audit-export-piece.entity.js';
import { AuditExportSubjectEntity } from '../../features/audit/store/entities/exports/audit-export-subject.entity.js';
import { AuditExportEntity } from '../../features/audit/store/entities/exports/audit-export.entity.js';
import { AuditFindingEntity } from '../../features/audit/store/entities/audit-finding.entity.js';
import { AuditLateSealEntity } from '../../features/audit/store/entities/audit-late-seal.entity.js';
import { AuditLeafEntity } from '../../features/audit/store/entities/audit-leaf.entity.js';
import { AuditLogEntity } from '../../features/audit/store/entities/audit-log.entity.js';
import { AuditNodeEntity } from '../../features/audit/store/entities/audit-node.entity.js';
import { AuditPendingEntity } from '../../features/audit/store/entities/audit-pending.entity.js';
import { AuditPrunedEntity } from '../../features/audit/store/entities/audit-pruned.entity.js';
import { AuditRepairEntity } from '../../features/audit/store/entities/audit-repair.entity.js';
import { AuditSweepEntity } from '../../features/audit/store/entities/audit-sweep.entity.js';
import { LogRestartEntity } from '../../features/audit/store/entities/log-restart.entity.js';
import { ClientAppEntity } from '../../features/auth/store/entities/client-app.entity.js';
import { ClientSecretEntity } from '../../features/auth/store/entities/client-secret.entity.js';
import { OrganisationQuotaEntity } from '../quotas/store/entities/organisation-quota.entity.js';
import { OrganisationEntity } from '../../features/auth/store/entities/organisation.entity.js';
import { CustomerEntity } from '../../features/customers/store/entities/customer.entity.js';
import { CheckProviderEntity } from '../../features/providers/store/entities/check-provider.entity.js';
import { ProviderAnswerEntity } from '../../features/providers/store/entities/provider-answer.entity.js';
import { ProviderUsageEntity } from '../../features/providers/store/entities/provider-usage.entity.js';
import { PrivacyNoticeEntity } from '../../features/sessions/store/entities/settings/privacy-notice.entity.js';
import { SessionCodeEntity } from '../../features/sessions/store/entities/session-code.entity.js';
import { SessionRoundEntity } from '../../features/sessions/store/entities/session-round.entity.js';
import { CustomerRelationEntity } from '../../features/customers/store/entities/customer-relation.entity.js';
import { SessionPersonEntity } from '../../features/sessions/store/entities/session-person.entity.js';
import { AppLogoEntity } from '../../features/sessions/store/entities/settings/app-logo.entity.js';
import { FlowDraftEntity } from '../../features/sessions/store/entities/settings/flow-draft.entity.js';
import { StepVisitEntity } from '../../features/sessions/store/entities/settings/step-visit.entity.js';
import { CustomerVerificationEntity } from '../../features/sessions/store/entities/customer-verification.entity.js';
import { ReverificationTermsEntity } from '../../features/sessions/store/entities/settings/reverification-terms.entity.js';
import { SchemaMigrationEntity } from './store/entities/schema-migration.entity.js';
import { CoafCommunicationEntity } from '../../features/dossiers/store/entities/coaf-communication.entity.js';
import { CoafEditEntity } from '../../features/dossiers/store/entities/coaf-edit.entity.js';
import { CoafInstitutionEntity } from '../../features/dossiers/store/entities/coaf-institution.entity.js';
import { FxImportEntity } from '../../features/fx/store/entities/fx-import.entity.js';
import { FxRateEntity } from '../../features/fx/store/entities/fx-rate.entity.js';
import { IdempotencyKeyEntity } from '../http/store/entities/idempotency-key.entity.js';
import { RequestLogEntity } from '../http/store/entities/request-log.entity.js';
import { DeadLetterDiscardEntity } from '../../features/kyt/store/entities/dead-letter-discard.entity.js';
import { KytDecisionEntity } from '../../features/kyt/store/entities/kyt-decision.entity.js';
import { KytEvaluationEntity } from '../../features/kyt/store/entities/kyt-evaluation.entity.js';
import { KytHouseValueEntity } from '../../features/kyt/store/entities/kyt-house-value.entity.js';
import { KytLateEffectEntity } from '../../features/kyt/store/entities/kyt-late-effect.entity.js';
import { KytStandingEntity } from '../../features/kyt/store/entities/kyt-standing.entity.js';
import { KytTransactionEntity } from '../../features/kyt/store/entities/kyt-transaction.entity.js';
import { LookBackEntity } from '../../features/kyt/store/entities/look-back.entity.js';
import { KytWorkEntity } from '../../features/kyt/store/entities/kyt-work.entity.js';
import { LoginThrottleEntity } from '../../features/operators/store/entities/login-throttle.entity.js';
import { OidcLoginEntity } from '../../features/operators/store/entities/oidc-login.entity.js';
import { OperatorDeviceEntity } from '../../features/operators/store/entities/operator-device.entity.js';
import { OperatorInvitationEntity } from '../../features/operators/store/entities/operator-invitation.entity.js';
import { OperatorLineageEntity } from '../../features/operators/store/entities/operator-lineage.entity.js';
import { OperatorPasskeyEntity } from '../../features/operators/store/entities/operator-passkey.entity.js';
import { OperatorSessionEntity } from '../../features/operators/store/entities/operator-session.entity.js';
import { OperatorEntity } from '../../features/operators/store/entities/operator.entity.js';
import { PasskeyChallengeEntity } from '../../features/operators/store/entities/passkey-challenge.entity.js';
import { RecoveryCodeEntity } from '../../features/operators/store/entities/recovery-code.entity.js';
import { RefreshTokenEntity } from '../../features/operators/store/entities/refresh-token.entity.js';
import { IndexKeyEntity } from '../privacy/store/entities/index-key.entity.js';
import { KnownIndexEntity } from '../privacy/store/entities/known-index.entity.js';
import { SubjectKeyEntity } from '../privacy/store/entities/subject-key.entity.js';
import { OutboxEntity } from '../queue/store/entities/outbox.entity.js';
import { QueueEpochEntity } from '../queue/store/entities/queue-epoch.entity.js';
import { SavedViewEntity } from '../../features/workspace/store/entities/saved-view.entity.js';
import { ReviewEffectEntity } from '../../features/reviews/store/entities/review-effect.entity.js';
import { ReviewHitEntity } from '../../features/reviews/store/entities/review-hit.entity.js';
import { ReviewLabelEntity } from '../../features/reviews/store/entities/review-label.entity.js';
import { ReviewNoteEntity } from '../../features/reviews/store/entities/review-note.entity.js';
import { ReviewPersonEntity } from '../../features/reviews/store/entities/review-person.entity.js';
import { ReviewTransactionEntity } from '../../features/reviews/store/entities/review-transaction.entity.js';
import { ReviewEntity } from '../../features/reviews/store/entities/review.entity.js';
import { AggregateReachEntity } from '../../features/rules/store/entities/aggregate-reach.entity.js';
import { BacktestEntity } from '../../features/rules/store/entities/backtest.entity.js';
import { HouseBackfillEntity } from '../../features/rules/store/entities/house-backfill.entity.js';
import { HouseSchemaEntity } from '../../features/rules/store/entities/house-schema.entity.js';
import { RuleCooldownEntity } from '../../features/rules/store/entities/rule-cooldown.entity.js';
import { RuleSnoozeEntity } from '../../features/rules/store/entities/rule-snooze.entity.js';
import { RuleEntity } from '../../features/rules/store/entities/rule.entity.js';
import { RulesetEpochEntity } from '../../features/rules/store/entities/ruleset-epoch.entity.js';
import { RulesetEntity } from '../../features/rules/store/entities/ruleset.entity.js';
import { ScreeningEntryEntity } from '../../features/screening/store/entities/screening-entry.entity.js';
import { ScreeningHitEntity } from '../../features/screening/store/entities/screening-hit.entity.js';
import { ScreeningListEntity } from '../../features/screening/store/entities/screening-list.entity.js';
import { FreezeEntity } from '../../features/screening/store/entities/freeze.entity.js';
import { FreezeNoticeEntity } from '../../features/screening/store/entities/freeze-notice.entity.js';
import { HitUseEntity } from '../../features/screening/store/entities/hit-use.entity.js';
import { ScreeningRoundEntity } from '../../features/screening/store/entities/screening-round.entity.js';
import { ScreeningSnapshotEntity } from '../../features/screening/store/entities/screening-snapshot.entity.js';
import { ScreeningStagedEntryEntity } from '../../features/screening/store/entities/screening-staged-entry.entity.js';
import { FlowEntity } from '../../features/sessions/store/entities/settings/flow.entity.js';
import { NameChangeEntity } from '../../features/search/store/entities/name-change.entity.js';
import { NameKeyEntity } from '../../features/search/store/entities/name-key.entity.js';
import { NameWordEntity } from '../../features/search/store/entities/name-word.entity.js';
import { SessionDecisionEntity } from '../../features/sessions/store/entities/session-decision.entity.js';
import { SessionStepEntity } from '../../features/sessions/store/entities/session-step.entity.js';
import { SessionTransactionEntity } from '../../features/sessions/store/entities/session-transaction.entity.js';
import { SessionUploadEntity } from '../../features/sessions/store/entities/session-upload.entity.js';
import { SessionWorkEntity } from '../../features/sessions/store/entities/session-work.entity.js';
import { SessionEntity } from '../../features/sessions/store/entities/session.entity.js';
import { ArtifactEntity } from '../../features/uploads/store/entities/artifact.entity.js';
import { EventFeedEntity } from '../../features/webhooks/store/entities/event-feed.entity.js';
import { EventIncarnationEntity } from '../../features/webhooks/store/entities/event-incarnation.entity.js';
import { EventMarkEntity } from '../../features/webhooks/store/entities/event-mark.entity.js';
import { EventEntity } from '../../features/webhooks/store/entities/event.entity.js';
import { WebhookAttemptEntity } from '../../features/webhooks/store/entities/webhook-attempt.entity.js';
import { WebhookDeliveryEntity } from '../../features/webhooks/store/entities/webhook-delivery.entity.js';
import { WebhookEndpointHourEntity } from '../../features/webhooks/store/entities/webhook-endpoint-hour.entity.js';
import { WebhookEndpointEntity } from '../../features/webhooks/store/entities/webhook-endpoint.entity.js';
import { WebhookRecoveryEntity } from '../../features/webhooks/store/entities/webhook-recovery.entity.js';

/** Every entity: one for each table, in the feature that owns it. */
export const entities = [
  CheckProviderEntity,
  CustomerVerificationEntity,
  ReverificationTermsEntity,
  FlowDraftEntity,
  StepVisitEntity,
  AppLogoEntity,
  CustomerRelationEntity,
  SessionPersonEntity,
  PrivacyNoticeEntity,
  SessionCodeEntity,
  SessionRoundEntity,
  ProviderAnswerEntity,
  ProviderUsageEntity,
  ApprovalEntity,
  AuditAnchorEntity,
  AuditCheckpointEntity,
  AuditEntryEntity,
  AuditExportLeafEntity,
  AuditExportPieceEntity,
  AuditExportSubjectEntity,
  AuditExportEntity,
  AuditFindingEntity,
  AuditLateSealEntity,
  AuditLeafEntity,
  AuditLogEntity,
  AuditNodeEntity,
  AuditPendingEntity,
  AuditPrunedEntity,
  AuditRepairEntity,
  AuditSweepEntity,
  LogRestartEntity,
  ClientAppEntity,
  ClientSecretEntity,
  OrganisationEntity,
  OrganisationQuotaEntity,
  CustomerEntity,
  SchemaMigrationEntity,
  CoafCommunicationEntity,
  CoafEditEntity,
  CoafInstitutionEntity,
  FxImportEntity,
  FxRateEntity,
  IdempotencyKeyEntity,
  RequestLogEntity,
  DeadLetterDiscardEntity,
  KytDecisionEntity,
  KytEvaluationEntity,
  KytHouseValueEntity,
  KytLateEffectEntity,
  KytStandingEntity,
  KytTransactionEntity,
  KytWorkEntity,
  LookBackEntity,
  LoginThrottleEntity,
  OidcLoginEntity,
  OperatorDeviceEntity,
  OperatorInvitationEntity,
  OperatorLineageEntity,
  OperatorPasskeyEntity,
  OperatorSessionEntity,
  OperatorEntity,
  PasskeyChallengeEntity,
  RecoveryCodeEntity,
  RefreshTokenEntity,
  IndexKeyEntity,
  KnownIndexEntity,
  SubjectKeyEntity,
  OutboxEntity,
  QueueEpochEntity,
  SavedViewEntity,
  ReviewEffectEntity,
  ReviewHitEntity,
  ReviewLabelEntity,
  ReviewNoteEntity,
  ReviewPersonEntity,
  ReviewTransactionEntity,
  ReviewEntity,
  AggregateReachEntity,
  BacktestEntity,
  HouseBackfillEntity,
  HouseSchemaEntity,
  RuleCooldownEntity,
  RuleSnoozeEntity,
  RuleEntity,
  RulesetEpochEntity,
  RulesetEntity,
  ScreeningEntryEntity,
  ScreeningHitEntity,
  ScreeningListEntity,
  FreezeEntity,
  FreezeNoticeEntity,
  HitUseEntity,
  ScreeningRoundEntity,
  ScreeningSnapshotEntity,
  ScreeningStagedEntryEntity,
  FlowEntity,
  NameChangeEntity,
  NameKeyEntity,
  NameWordEntity,
  SessionDecisionEntity,
  SessionStepEntity,
  SessionTransactionEntity,
  SessionUploadEntity,
  SessionWorkEntity,
  SessionEntity,
  ArtifactEntity,
  EventFeedEntity,
  EventIncarnationEntity,
  EventMarkEntity,
  EventEntity,
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEndpointHourEntity,
  WebhookEndpointEntity,
  WebhookRecoveryEntity,
];
