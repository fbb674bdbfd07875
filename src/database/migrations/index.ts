import { Foundation1763600000001 } from './0001-foundation.js';
import { RowLevelSecurity1763600000002 } from './0002-row-level-security.js';
import { Operators1763600000010 } from './0010-operators.js';
import { OidcLogins1763600000011 } from './0011-oidc-logins.js';
import { IdempotencyKeys1763600000030 } from './0030-idempotency-keys.js';
import { ClientApps1763600000031 } from './0031-client-apps.js';
import { Velocity1763600000040 } from './0040-velocity.js';
import { ExchangeRates1763600000041 } from './0041-fx.js';
import { EvaluationFacts1763600000042 } from './0042-evaluations.js';
import { Rulesets1763600000050 } from './0050-rulesets.js';
import { BacktestHistory1763600000051 } from './0051-backtests.js';
import { Discards1763600000052 } from './0052-discards.js';
import { Webhooks1763600000060 } from './0060-webhooks.js';
import { WebhookRecoveries1763600000061 } from './0061-webhook-recoveries.js';
import { DeliveryRounds1763600000062 } from './0062-delivery-rounds.js';
import { LeanerDeliveries1763600000063 } from './0063-leaner-deliveries.js';
import { Screening1763600000070 } from './0070-screening.js';
import { AuditLog1763600000080 } from './0080-audit-log.js';
import { AuditCheckpointTimes1763600000081 } from './0081-audit-checkpoint-times.js';
import { AuditGuard1763600000082 } from './0082-audit-guard.js';
import { Artifacts1763600000090 } from './0090-artifacts.js';
import { Sessions1763600000095 } from './0095-sessions.js';
import { StepUps1763600000096 } from './0096-step-ups.js';
import { Reviews1763600000100 } from './0100-reviews.js';
import { ReviewDesk1763600000101 } from './0101-review-desk.js';
import { Coaf1763600000105 } from './0105-coaf.js';
import { AuditExports1763600000120 } from './0120-audit-exports.js';
import { SessionDecisions1763600000125 } from './0125-session-decisions.js';
import { CustomerMerges1763600000126 } from './0126-customer-merges.js';
import { Audited1763600000127 } from './0127-audited.js';
import { AuditPruning1763600000130 } from './0130-audit-pruning.js';
import { CustomerKeys1763600000140 } from './0140-customer-keys.js';
import { ArtifactPlaces1763600000150 } from './0150-artifact-places.js';
import { PlainStorage1763600000151 } from './0151-plain-storage.js';
import { PendingInPieces1763600000152 } from './0152-pending-in-pieces.js';
import { TwoToAPage1763600000153 } from './0153-two-to-a-page.js';
import { DiscardedDeaths1763600000154 } from './0154-discarded-deaths.js';
import { RoomForTheSecond1763600000155 } from './0155-room-for-the-second.js';

/**
 * Every migration, in the order it runs. A migration that makes a table protects it with row-level security in the
 * same migration: `...protect('my_table')` from `protect.ts`, which says how. A table without stops the boot.
 */
export const migrations = [
  Foundation1763600000001,
  RowLevelSecurity1763600000002,
  Operators1763600000010,
  OidcLogins1763600000011,
  IdempotencyKeys1763600000030,
  ClientApps1763600000031,
  Velocity1763600000040,
  ExchangeRates1763600000041,
  EvaluationFacts1763600000042,
  Rulesets1763600000050,
  BacktestHistory1763600000051,
  Discards1763600000052,
  Webhooks1763600000060,
  WebhookRecoveries1763600000061,
  DeliveryRounds1763600000062,
  LeanerDeliveries1763600000063,
  Screening1763600000070,
  AuditLog1763600000080,
  AuditCheckpointTimes1763600000081,
  AuditGuard1763600000082,
  Artifacts1763600000090,
  Sessions1763600000095,
  StepUps1763600000096,
  Reviews1763600000100,
  ReviewDesk1763600000101,
  Coaf1763600000105,
  AuditExports1763600000120,
  SessionDecisions1763600000125,
  CustomerMerges1763600000126,
  Audited1763600000127,
  AuditPruning1763600000130,
  CustomerKeys1763600000140,
  ArtifactPlaces1763600000150,
  PlainStorage1763600000151,
  PendingInPieces1763600000152,
  TwoToAPage1763600000153,
  DiscardedDeaths1763600000154,
  RoomForTheSecond1763600000155,
];

/** What this release needs to find in `schema_migrations`. */
export const migrationNames: readonly string[] = migrations.map((Migration) => new Migration().name);
