import { Foundation1764000000001 } from './0001-foundation.js';
import { Audit1764000000002 } from './0002-audit.js';
import { Auth1764000000003 } from './0003-auth.js';
import { Operators1764000000004 } from './0004-operators.js';
import { Privacy1764000000005 } from './0005-privacy.js';
import { Queue1764000000006 } from './0006-queue.js';
import { Http1764000000007 } from './0007-http.js';
import { Webhooks1764000000008 } from './0008-webhooks.js';
import { Fx1764000000009 } from './0009-fx.js';
import { Rules1764000000010 } from './0010-rules.js';
import { Customers1764000000011 } from './0011-customers.js';
import { Screening1764000000012 } from './0012-screening.js';
import { Reviews1764000000013 } from './0013-reviews.js';
import { Kyt1764000000014 } from './0014-kyt.js';
import { Sessions1764000000015 } from './0015-sessions.js';
import { Uploads1764000000016 } from './0016-uploads.js';
import { Dossiers1764000000017 } from './0017-dossiers.js';
import { KytVerdicts1764000000018 } from './0018-kyt-verdicts.js';
import { KytSameness1764000000019 } from './0019-kyt-sameness.js';
import { KytLateEffects1764000000020 } from './0020-kyt-late-effects.js';
import { Approvals1764000000021 } from './0021-approvals.js';
import { ApprovalsOfEffects1764000000022 } from './0022-approvals-of-effects.js';
import { ApprovalsOfCases1764000000023 } from './0023-approvals-of-cases.js';
import { ApprovalsOfPeople1764000000024 } from './0024-approvals-of-people.js';
import { HitMemory1764000000025 } from './0025-hit-memory.js';
import { ReviewsOfPeople1764000000026 } from './0026-reviews-of-people.js';
import { ApprovalsByPeople1764000000030 } from './0030-approvals-by-people.js';
import { ApprovalsOfBeginnings1764000000031 } from './0031-approvals-of-beginnings.js';
import { ApprovalsOfErasures1764000000032 } from './0032-approvals-of-erasures.js';
import { ApprovalsOfLists1764000000033 } from './0033-approvals-of-lists.js';
import { CustomersSingleControl1764000000034 } from './0034-customers-single-control.js';
import { ApprovalsOfRatesAndFlows1764000000035 } from './0035-approvals-of-rates-and-flows.js';
import { ApprovalsOfFirstImports1764000000036 } from './0036-approvals-of-first-imports.js';
import { ApprovalsOfListLosses1764000000037 } from './0037-approvals-of-list-losses.js';
import { AuditRecordedAt1764000000040 } from './0040-audit-recorded-at.js';
import { AuditLateSeals1764000000041 } from './0041-audit-late-seals.js';
import { AuditAlteredStates1764000000042 } from './0042-audit-altered-states.js';
import { OperatorsPerOrganisation1764000000050 } from './0050-operators-per-organisation.js';
import { OrganisationsAddQuotas1764000000051 } from './0051-organisations-add-quotas.js';
import { OperatorsAddPasskeys1764000000060 } from './0060-operators-add-passkeys.js';
import { ReviewsAlerts1764000000070 } from './0070-reviews-alerts.js';
import { ReviewsMerge1764000000071 } from './0071-reviews-merge.js';
import { NameWords1764000000080 } from './0080-name-words.js';
import { KytTransactionsAccount1764000000081 } from './0081-kyt-transactions-account.js';
import { CoafEdits1764000000082 } from './0082-coaf-edits.js';
import { SavedViews1764000000083 } from './0083-saved-views.js';
import { EventIncarnations1764000000100 } from './0100-event-incarnations.js';
import { AuditSteps1764000000110 } from './0110-audit-steps.js';
import { SubjectKeysErasedWith1764000000111 } from './0111-subject-keys-erased-with.js';
import { AuditAnchors1764000000112 } from './0112-audit-anchors.js';
import { AuditRederive1764000000113 } from './0113-audit-rederive.js';
import { IndexKeys1764000000120 } from './0120-index-keys.js';
import { LookBacks1764000000130 } from './0130-look-backs.js';
import { KytEvaluationsPackReceipts1764000000150 } from './0150-kyt-evaluations-pack-receipts.js';
import { WebhookDeliveriesDropOnce1764000000151 } from './0151-webhook-deliveries-drop-once.js';
import { KytLists1764000000152 } from './0152-kyt-lists.js';
import { Desk1764000000153 } from './0153-desk.js';
import { WebhookEndpointsOlderSecrets1764000000180 } from './0180-webhook-endpoints-older-secrets.js';
import { WebhookAttemptsAnswers1764000000181 } from './0181-webhook-attempts-answers.js';
import { RequestLog1764000000182 } from './0182-request-log.js';
import { KytWindowColumns1764000000200 } from './0200-kyt-window-columns.js';
import { KytHouseValues1764000000201 } from './0201-kyt-house-values.js';
import { AggregateReaches1764000000202 } from './0202-aggregate-reaches.js';
import { HouseSchemas1764000000203 } from './0203-house-schemas.js';
import { CheckProviders1764000000250 } from './0250-check-providers.js';
import { KycSessionsAddRounds1764000000251 } from './0251-kyc-sessions-add-rounds.js';
import { PrivacyNotices1764000000252 } from './0252-privacy-notices.js';
import { CustomerRelations1764000000253 } from './0253-customer-relations.js';
import { ClientAppsAddBranding1764000000254 } from './0254-client-apps-add-branding.js';
import { FlowDrafts1764000000255 } from './0255-flow-drafts.js';
import { CustomerVerifications1764000000256 } from './0256-customer-verifications.js';
import { KytListIndexes1764000000257 } from './0257-kyt-list-indexes.js';
import { HitsOfPeopleBehind1764000000258 } from './0258-hits-of-people-behind.js';
import { KycSessionUploadsByRound1764000000259 } from './0259-kyc-session-uploads-by-round.js';
import { ScreeningSnapshotsAddUp1764000000260 } from './0260-screening-snapshots-add-up.js';
import { OperatorLineageAddRoles1764000000261 } from './0261-operator-lineage-add-roles.js';

/**
 * Every migration, in the order it runs: the schema of the first release, one file per module, and from then on one
 * migration per change, named by table and purpose (`0018-customers-add-nationality.ts`). A migration that makes a table
 * protects it in the same migration: `...protect('my_table')` from `protect.ts`, which says how. A table without stops
 * the boot.
 */
export const migrations = [
  Foundation1764000000001,
  Audit1764000000002,
  Auth1764000000003,
  Operators1764000000004,
  Privacy1764000000005,
  Queue1764000000006,
  Http1764000000007,
  Webhooks1764000000008,
  Fx1764000000009,
  Rules1764000000010,
  Customers1764000000011,
  Screening1764000000012,
  Reviews1764000000013,
  Kyt1764000000014,
  Sessions1764000000015,
  Uploads1764000000016,
  Dossiers1764000000017,
  KytVerdicts1764000000018,
  KytSameness1764000000019,
  KytLateEffects1764000000020,
  Approvals1764000000021,
  ApprovalsOfEffects1764000000022,
  ApprovalsOfCases1764000000023,
  ApprovalsOfPeople1764000000024,
  HitMemory1764000000025,
  ReviewsOfPeople1764000000026,
  ApprovalsByPeople1764000000030,
  ApprovalsOfBeginnings1764000000031,
  ApprovalsOfErasures1764000000032,
  ApprovalsOfLists1764000000033,
  CustomersSingleControl1764000000034,
  ApprovalsOfRatesAndFlows1764000000035,
  ApprovalsOfFirstImports1764000000036,
  ApprovalsOfListLosses1764000000037,
  AuditRecordedAt1764000000040,
  AuditLateSeals1764000000041,
  AuditAlteredStates1764000000042,
  OperatorsPerOrganisation1764000000050,
  OrganisationsAddQuotas1764000000051,
  OperatorsAddPasskeys1764000000060,
  ReviewsAlerts1764000000070,
  ReviewsMerge1764000000071,
  NameWords1764000000080,
  KytTransactionsAccount1764000000081,
  CoafEdits1764000000082,
  SavedViews1764000000083,
  EventIncarnations1764000000100,
  AuditSteps1764000000110,
  SubjectKeysErasedWith1764000000111,
  AuditAnchors1764000000112,
  AuditRederive1764000000113,
  IndexKeys1764000000120,
  LookBacks1764000000130,
  KytEvaluationsPackReceipts1764000000150,
  WebhookDeliveriesDropOnce1764000000151,
  KytLists1764000000152,
  Desk1764000000153,
  WebhookEndpointsOlderSecrets1764000000180,
  WebhookAttemptsAnswers1764000000181,
  RequestLog1764000000182,
  KytWindowColumns1764000000200,
  KytHouseValues1764000000201,
  AggregateReaches1764000000202,
  HouseSchemas1764000000203,
  CheckProviders1764000000250,
  KycSessionsAddRounds1764000000251,
  PrivacyNotices1764000000252,
  CustomerRelations1764000000253,
  ClientAppsAddBranding1764000000254,
  FlowDrafts1764000000255,
  CustomerVerifications1764000000256,
  KytListIndexes1764000000257,
  HitsOfPeopleBehind1764000000258,
  KycSessionUploadsByRound1764000000259,
  ScreeningSnapshotsAddUp1764000000260,
  OperatorLineageAddRoles1764000000261,
];

/** The migrations that this release needs to find in `schema_migrations`. */
export const migrationNames: readonly string[] = migrations.map((Migration) => new Migration().name);
