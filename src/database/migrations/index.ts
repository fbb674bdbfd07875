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
];

/** The migrations that this release needs to find in `schema_migrations`. */
export const migrationNames: readonly string[] = migrations.map((Migration) => new Migration().name);
