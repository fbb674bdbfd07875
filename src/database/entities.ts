import { ApprovalEntity } from '../approvals/store/entities/approval.entity.js';
import { AuditAnchorEntity } from '../audit/store/entities/watch/audit-anchor.entity.js';
import { AuditCheckpointEntity } from '../audit/store/entities/audit-checkpoint.entity.js';
import { AuditEntryEntity } from '../audit/store/entities/audit-entry.entity.js';
import { AuditExportLeafEntity } from '../audit/store/entities/exports/audit-export-leaf.entity.js';
import { AuditExportPieceEntity } from '../audit/store/entities/exports/audit-export-piece.entity.js';
import { AuditExportSubjectEntity } from '../audit/store/entities/exports/audit-export-subject.entity.js';
import { AuditExportEntity } from '../audit/store/entities/exports/audit-export.entity.js';
import { AuditFindingEntity } from '../audit/store/entities/audit-finding.entity.js';
import { AuditLateSealEntity } from '../audit/store/entities/audit-late-seal.entity.js';
import { AuditLeafEntity } from '../audit/store/entities/audit-leaf.entity.js';
import { AuditLogEntity } from '../audit/store/entities/audit-log.entity.js';
import { AuditNodeEntity } from '../audit/store/entities/audit-node.entity.js';
import { AuditPendingEntity } from '../audit/store/entities/audit-pending.entity.js';
import { AuditPrunedEntity } from '../audit/store/entities/audit-pruned.entity.js';
import { AuditRepairEntity } from '../audit/store/entities/audit-repair.entity.js';
import { AuditSweepEntity } from '../audit/store/entities/audit-sweep.entity.js';
import { LogRestartEntity } from '../audit/store/entities/log-restart.entity.js';
import { ClientAppEntity } from '../auth/store/entities/client-app.entity.js';
import { ClientSecretEntity } from '../auth/store/entities/client-secret.entity.js';
import { OrganisationQuotaEntity } from '../quotas/store/entities/organisation-quota.entity.js';
import { OrganisationEntity } from '../auth/store/entities/organisation.entity.js';
import { CustomerEntity } from '../customers/store/entities/customer.entity.js';
import { CheckProviderEntity } from '../providers/store/entities/check-provider.entity.js';
import { ProviderAnswerEntity } from '../providers/store/entities/provider-answer.entity.js';
import { ProviderUsageEntity } from '../providers/store/entities/provider-usage.entity.js';
import { PrivacyNoticeEntity } from '../sessions/store/entities/settings/privacy-notice.entity.js';
import { SessionCodeEntity } from '../sessions/store/entities/session-code.entity.js';
import { SessionRoundEntity } from '../sessions/store/entities/session-round.entity.js';
import { CustomerRelationEntity } from '../customers/store/entities/customer-relation.entity.js';
import { SessionPersonEntity } from '../sessions/store/entities/session-person.entity.js';
import { AppLogoEntity } from '../sessions/store/entities/settings/app-logo.entity.js';
import { FlowDraftEntity } from '../sessions/store/entities/settings/flow-draft.entity.js';
import { StepVisitEntity } from '../sessions/store/entities/settings/step-visit.entity.js';
import { CustomerVerificationEntity } from '../sessions/store/entities/customer-verification.entity.js';
import { ReverificationTermsEntity } from '../sessions/store/entities/settings/reverification-terms.entity.js';
import { SchemaMigrationEntity } from './store/entities/schema-migration.entity.js';
import { CoafCommunicationEntity } from '../dossiers/store/entities/coaf-communication.entity.js';
import { CoafEditEntity } from '../dossiers/store/entities/coaf-edit.entity.js';
import { CoafInstitutionEntity } from '../dossiers/store/entities/coaf-institution.entity.js';
import { FxImportEntity } from '../fx/store/entities/fx-import.entity.js';
import { FxRateEntity } from '../fx/store/entities/fx-rate.entity.js';
import { IdempotencyKeyEntity } from '../http/store/entities/idempotency-key.entity.js';
import { RequestLogEntity } from '../http/store/entities/request-log.entity.js';
import { DeadLetterDiscardEntity } from '../kyt/store/entities/dead-letter-discard.entity.js';
import { KytDecisionEntity } from '../kyt/store/entities/kyt-decision.entity.js';
import { KytEvaluationEntity } from '../kyt/store/entities/kyt-evaluation.entity.js';
import { KytHouseValueEntity } from '../kyt/store/entities/kyt-house-value.entity.js';
import { KytLateEffectEntity } from '../kyt/store/entities/kyt-late-effect.entity.js';
import { KytStandingEntity } from '../kyt/store/entities/kyt-standing.entity.js';
import { KytTransactionEntity } from '../kyt/store/entities/kyt-transaction.entity.js';
import { LookBackEntity } from '../kyt/store/entities/look-back.entity.js';
import { KytWorkEntity } from '../kyt/store/entities/kyt-work.entity.js';
import { LoginThrottleEntity } from '../operators/store/entities/login-throttle.entity.js';
import { OidcLoginEntity } from '../operators/store/entities/oidc-login.entity.js';
import { OperatorDeviceEntity } from '../operators/store/entities/operator-device.entity.js';
import { OperatorInvitationEntity } from '../operators/store/entities/operator-invitation.entity.js';
import { OperatorLineageEntity } from '../operators/store/entities/operator-lineage.entity.js';
import { OperatorPasskeyEntity } from '../operators/store/entities/operator-passkey.entity.js';
import { OperatorSessionEntity } from '../operators/store/entities/operator-session.entity.js';
import { OperatorEntity } from '../operators/store/entities/operator.entity.js';
import { PasskeyChallengeEntity } from '../operators/store/entities/passkey-challenge.entity.js';
import { RecoveryCodeEntity } from '../operators/store/entities/recovery-code.entity.js';
import { RefreshTokenEntity } from '../operators/store/entities/refresh-token.entity.js';
import { IndexKeyEntity } from '../privacy/store/entities/index-key.entity.js';
import { KnownIndexEntity } from '../privacy/store/entities/known-index.entity.js';
import { SubjectKeyEntity } from '../privacy/store/entities/subject-key.entity.js';
import { OutboxEntity } from '../queue/store/entities/outbox.entity.js';
import { QueueEpochEntity } from '../queue/store/entities/queue-epoch.entity.js';
import { SavedViewEntity } from '../workspace/store/entities/saved-view.entity.js';
import { ReviewEffectEntity } from '../reviews/store/entities/review-effect.entity.js';
import { ReviewHitEntity } from '../reviews/store/entities/review-hit.entity.js';
import { ReviewLabelEntity } from '../reviews/store/entities/review-label.entity.js';
import { ReviewNoteEntity } from '../reviews/store/entities/review-note.entity.js';
import { ReviewPersonEntity } from '../reviews/store/entities/review-person.entity.js';
import { ReviewTransactionEntity } from '../reviews/store/entities/review-transaction.entity.js';
import { ReviewEntity } from '../reviews/store/entities/review.entity.js';
import { AggregateReachEntity } from '../rules/store/entities/aggregate-reach.entity.js';
import { BacktestEntity } from '../rules/store/entities/backtest.entity.js';
import { HouseBackfillEntity } from '../rules/store/entities/house-backfill.entity.js';
import { HouseSchemaEntity } from '../rules/store/entities/house-schema.entity.js';
import { RuleCooldownEntity } from '../rules/store/entities/rule-cooldown.entity.js';
import { RuleSnoozeEntity } from '../rules/store/entities/rule-snooze.entity.js';
import { RuleEntity } from '../rules/store/entities/rule.entity.js';
import { RulesetEpochEntity } from '../rules/store/entities/ruleset-epoch.entity.js';
import { RulesetEntity } from '../rules/store/entities/ruleset.entity.js';
import { ScreeningEntryEntity } from '../screening/store/entities/screening-entry.entity.js';
import { ScreeningHitEntity } from '../screening/store/entities/screening-hit.entity.js';
import { ScreeningListEntity } from '../screening/store/entities/screening-list.entity.js';
import { FreezeEntity } from '../screening/store/entities/freeze.entity.js';
import { FreezeNoticeEntity } from '../screening/store/entities/freeze-notice.entity.js';
import { HitUseEntity } from '../screening/store/entities/hit-use.entity.js';
import { ScreeningRoundEntity } from '../screening/store/entities/screening-round.entity.js';
import { ScreeningSnapshotEntity } from '../screening/store/entities/screening-snapshot.entity.js';
import { ScreeningStagedEntryEntity } from '../screening/store/entities/screening-staged-entry.entity.js';
import { FlowEntity } from '../sessions/store/entities/settings/flow.entity.js';
import { NameChangeEntity } from '../search/store/entities/name-change.entity.js';
import { NameKeyEntity } from '../search/store/entities/name-key.entity.js';
import { NameWordEntity } from '../search/store/entities/name-word.entity.js';
import { SessionDecisionEntity } from '../sessions/store/entities/session-decision.entity.js';
import { SessionStepEntity } from '../sessions/store/entities/session-step.entity.js';
import { SessionTransactionEntity } from '../sessions/store/entities/session-transaction.entity.js';
import { SessionUploadEntity } from '../sessions/store/entities/session-upload.entity.js';
import { SessionWorkEntity } from '../sessions/store/entities/session-work.entity.js';
import { SessionEntity } from '../sessions/store/entities/session.entity.js';
import { ArtifactEntity } from '../uploads/store/entities/artifact.entity.js';
import { EventFeedEntity } from '../webhooks/store/entities/event-feed.entity.js';
import { EventIncarnationEntity } from '../webhooks/store/entities/event-incarnation.entity.js';
import { EventMarkEntity } from '../webhooks/store/entities/event-mark.entity.js';
import { EventEntity } from '../webhooks/store/entities/event.entity.js';
import { WebhookAttemptEntity } from '../webhooks/store/entities/webhook-attempt.entity.js';
import { WebhookDeliveryEntity } from '../webhooks/store/entities/webhook-delivery.entity.js';
import { WebhookEndpointHourEntity } from '../webhooks/store/entities/webhook-endpoint-hour.entity.js';
import { WebhookEndpointEntity } from '../webhooks/store/entities/webhook-endpoint.entity.js';
import { WebhookRecoveryEntity } from '../webhooks/store/entities/webhook-recovery.entity.js';

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
