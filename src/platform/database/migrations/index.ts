import { Foundation1765000000001 } from './0001-foundation.js';
import { Audit1765000000002 } from './0002-audit.js';
import { AuditExports1765000000003 } from './0003-audit-exports.js';
import { Auth1765000000004 } from './0004-auth.js';
import { Operators1765000000005 } from './0005-operators.js';
import { Approvals1765000000006 } from './0006-approvals.js';
import { OperatorsLogins1765000000007 } from './0007-operators-logins.js';
import { AuditRepairs1765000000008 } from './0008-audit-repairs.js';
import { Privacy1765000000009 } from './0009-privacy.js';
import { Queue1765000000010 } from './0010-queue.js';
import { Http1765000000011 } from './0011-http.js';
import { Quotas1765000000012 } from './0012-quotas.js';
import { Webhooks1765000000013 } from './0013-webhooks.js';
import { Fx1765000000014 } from './0014-fx.js';
import { Rules1765000000015 } from './0015-rules.js';
import { Customers1765000000016 } from './0016-customers.js';
import { Search1765000000017 } from './0017-search.js';
import { Screening1765000000018 } from './0018-screening.js';
import { ScreeningHits1765000000019 } from './0019-screening-hits.js';
import { KytLookBacks1765000000020 } from './0020-kyt-look-backs.js';
import { Reviews1765000000021 } from './0021-reviews.js';
import { Kyt1765000000022 } from './0022-kyt.js';
import { KytWork1765000000023 } from './0023-kyt-work.js';
import { SessionsFlows1765000000024 } from './0024-sessions-flows.js';
import { Sessions1765000000025 } from './0025-sessions.js';
import { Uploads1765000000026 } from './0026-uploads.js';
import { Dossiers1765000000027 } from './0027-dossiers.js';
import { Providers1765000000028 } from './0028-providers.js';
import { Workspace1765000000029 } from './0029-workspace.js';
import { OrganisationsSingleHanded1765000000031 } from './0031-organisations-single-handed.js';
import { ReviewsAboutAHit1765000000032 } from './0032-reviews-about-a-hit.js';
import { OrganisationsSingleHandedByOwner1765000000033 } from './0033-organisations-single-handed-by-owner.js';
import { ReviewTransactionsHits1765000000034 } from './0034-review-transactions-hits.js';
import { ScreeningHitsAfterMerge1765000000035 } from './0035-screening-hits-after-merge.js';
import { OnePerson1765000000036 } from './0036-one-person.js';
import { ClientSecretsByTwo1765000000038 } from './0038-client-secrets-by-two.js';
import { ApprovalsIndependentByAct1765000000039 } from './0039-approvals-independent-by-act.js';
import { OperatorSessionsOfALogin1765000000040 } from './0040-operator-sessions-of-a-login.js';
import { ScreeningSnapshotsFileDate1765000000041 } from './0041-screening-snapshots-file-date.js';
import { ClientAppsAddressesByTwo1765000000042 } from './0042-client-apps-addresses-by-two.js';
import { RequestLogBundles1765000000043 } from './0043-request-log-bundles.js';
import { ScreeningRoundsUnderLeases1765000000044 } from './0044-screening-rounds-under-leases.js';
import { ClientAppsInputs1765000000047 } from './0047-client-apps-inputs.js';
import { KytCustomerEvents1765000000048 } from './0048-kyt-customer-events.js';

/**
 * Every migration, in the order it runs: the schema of the first release, one file per module or theme of a module.
 * Later there is one migration per change, named by table and purpose (`0044-customers-add-nationality.ts`). A
 * migration that creates a table protects it itself with `...protect('my_table')` from `protect.ts`. The service does
 * not start with an unprotected table.
 */
export const migrations = [
  Foundation1765000000001,
  Audit1765000000002,
  AuditExports1765000000003,
  Auth1765000000004,
  Operators1765000000005,
  Approvals1765000000006,
  OperatorsLogins1765000000007,
  AuditRepairs1765000000008,
  Privacy1765000000009,
  Queue1765000000010,
  Http1765000000011,
  Quotas1765000000012,
  Webhooks1765000000013,
  Fx1765000000014,
  Rules1765000000015,
  Customers1765000000016,
  Search1765000000017,
  Screening1765000000018,
  ScreeningHits1765000000019,
  KytLookBacks1765000000020,
  Reviews1765000000021,
  Kyt1765000000022,
  KytWork1765000000023,
  SessionsFlows1765000000024,
  Sessions1765000000025,
  Uploads1765000000026,
  Dossiers1765000000027,
  Providers1765000000028,
  Workspace1765000000029,
  OrganisationsSingleHanded1765000000031,
  ReviewsAboutAHit1765000000032,
  OrganisationsSingleHandedByOwner1765000000033,
  ReviewTransactionsHits1765000000034,
  ScreeningHitsAfterMerge1765000000035,
  OnePerson1765000000036,
  ClientSecretsByTwo1765000000038,
  ApprovalsIndependentByAct1765000000039,
  OperatorSessionsOfALogin1765000000040,
  ScreeningSnapshotsFileDate1765000000041,
  ClientAppsAddressesByTwo1765000000042,
  RequestLogBundles1765000000043,
  ScreeningRoundsUnderLeases1765000000044,
  ClientAppsInputs1765000000047,
  KytCustomerEvents1765000000048,
];

/** The migrations that this release requires in `schema_migrations`. */
export const migrationNames: readonly string[] = migrations.map((Migration) => new Migration().name);
