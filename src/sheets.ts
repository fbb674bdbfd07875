import { required } from './platform/kernel/present.js';
import type { SubjectSheet } from './platform/sheets/index.js';
import { sheets as kyt } from './features/kyt/sheets.js';
import { sheets as webhooks } from './features/webhooks/sheets.js';
import { sheets as auth } from './features/auth/sheets.js';
import { sheets as rules } from './features/rules/sheets.js';
import { sheets as fx } from './features/fx/sheets.js';
import { sheets as operators } from './features/operators/sheets.js';
import { sheets as customers } from './features/customers/sheets.js';
import { sheets as reviews } from './features/reviews/sheets.js';
import { sheets as screening } from './features/screening/sheets.js';
import { sheets as dossiers } from './features/dossiers/sheets.js';
import { sheets as uploads } from './features/uploads/sheets.js';
import { sheets as sessions } from './features/sessions/sheets.js';
import { sheets as providers } from './features/providers/sheets.js';
import { sheets as repairs } from './features/repairs/sheets.js';
import { sheets as approvals } from './features/approvals/sheets.js';
import { sheets as audit } from './features/audit/sheets.js';

/**
 * Every audited subject. A feature declares its own subjects; the union of subject types, the list of actions and the table
 * of acts follow from all of them.
 */
export const sheets = [
  ...kyt,
  ...webhooks,
  ...auth,
  ...rules,
  ...fx,
  ...operators,
  ...customers,
  ...reviews,
  ...screening,
  ...dossiers,
  ...uploads,
  ...sessions,
  ...providers,
  ...repairs,
  ...approvals,
  ...audit,
] as const;

type Sheet = (typeof sheets)[number];

export type SubjectType = Sheet['type'];

/** All actions that this release records. The list is closed, so that trail grammars can cover every action. */
export type AuditAction = Sheet['actions'][number];

type ActOf<S extends SubjectSheet> = S extends unknown ? keyof NonNullable<S['acts']> : never;

/** The acts that two people must agree on. */
export type ApprovalAction = ActOf<Sheet>;

type AnySheet = SubjectSheet<SubjectType, AuditAction, ApprovalAction>;

const byType = new Map<SubjectType, AnySheet>(sheets.map((one) => [one.type, one]));

export const subjectTypes: readonly SubjectType[] = [...byType.keys()];

/** Returns the declaration of a type of subject. */
export const sheetOf = (type: SubjectType): AnySheet => required(byType.get(type), `the sheet of ${type}`);
