import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { sha256 } from '../../../platform/kernel/values/digest.js';

/** The author of an entry: a client application, a session link, an operator, or the service itself. */
export type Actor =
  | { readonly type: 'client'; readonly id: string }
  | { readonly type: 'operator'; readonly id: string }
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'system'; readonly id: string };

export const subjectTypes = [
  'transaction',
  'discard',
  'delivery',
  'client_app',
  'webhook_endpoint',
  'rule',
  'ruleset',
  'backtest',
  'house_schema',
  'look_back',
  'fx_import',
  'operator',
  'operator_invitation',
  'customer',
  'review',
  'screening_list',
  'screening_hit',
  'freeze',
  'communication',
  'coaf_institution',
  'dossier',
  'artifact',
  'flow',
  'flow_draft',
  'provider',
  'privacy_notice',
  'reverification',
  'session',
  'repair',
  'approval',
  'audit_log',
  'audit_export',
  'operations',
  'state',
  'access',
  'catalogue',
] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** All actions that this release records. The list is closed, so that trail grammars can cover every action. */
export type AuditAction =
  | 'transaction.received'
  | 'transaction.conflict_refused'
  | 'transaction.evaluated'
  | 'transaction.decided'
  | 'transaction.late_noted'
  | 'transaction.dead_lettered'
  | 'transaction.replayed'
  | 'transaction.discarded'
  | 'discard.requested'
  | 'discard.approved'
  | 'discard.withdrawn'
  | 'delivery.delivered'
  | 'delivery.exhausted'
  | 'delivery.cancelled'
  | 'delivery.retried'
  | 'delivery.recovered'
  | 'client_app.created'
  | 'client_app.changed'
  | 'client_app.disabled'
  | 'client_app.enabled'
  | 'client_app.revoked'
  | 'client_app.secret_rotated'
  | 'client_app.secret_revoked'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.activated'
  | 'webhook_endpoint.changed'
  | 'webhook_endpoint.paused'
  | 'webhook_endpoint.removed'
  | 'webhook_endpoint.secret_rotated'
  | 'webhook_endpoint.tested'
  | 'webhook_endpoint.recovery_requested'
  | 'webhook_endpoint.recovered'
  | 'rule.drafted'
  | 'rule.released'
  | 'ruleset.drafted'
  | 'ruleset.publication_requested'
  | 'ruleset.publication_withdrawn'
  | 'ruleset.published'
  | 'ruleset.archived'
  | 'ruleset.rule_snoozed'
  | 'ruleset.snooze_lifted'
  | 'backtest.requested'
  | 'backtest.cancelled'
  | 'backtest.finished'
  | 'backtest.failed'
  | 'look_back.approved'
  | 'look_back.cancelled'
  | 'look_back.finished'
  | 'look_back.failed'
  | 'fx.rates_imported'
  | 'operator.created'
  | 'operator.updated'
  | 'operator.disabled'
  | 'operator.enabled'
  | 'operator.access_denied'
  | 'operator.logged_in'
  | 'operator.login_failed'
  | 'operator.login_locked'
  | 'operator.logged_out'
  | 'operator.session_ended'
  | 'operator.sessions_ended'
  | 'operator.refresh_refused'
  | 'operator.reauthentication_failed'
  | 'operator.stepped_up'
  | 'operator.password_changed'
  | 'operator.totp_enrolled'
  | 'operator.totp_reset'
  | 'operator.passkey_added'
  | 'operator.passkey_removed'
  | 'operator.recovery_codes_renewed'
  | 'operator.secret_renewed'
  | 'operator.credentials_reset'
  | 'operator.identity_linked'
  | 'operator.view_saved'
  | 'operator.view_removed'
  | 'operator_invitation.created'
  | 'operator_invitation.accepted'
  | 'operator_invitation.revoked'
  | 'customer.identified'
  | 'customer.enriched'
  | 'customer.profile_changed'
  | 'customer.risk_changed'
  | 'customer.revealed'
  | 'customer.relationship_changed'
  | 'customer.people_recorded'
  | 'customer.legal_hold_placed'
  | 'customer.legal_hold_lifted'
  | 'customer.restricted'
  | 'customer.erased'
  | 'customer.merged'
  | 'customer.absorbed'
  | 'review.opened'
  | 'review.extended'
  | 'review.merged'
  | 'review.absorbed'
  | 'review.separated'
  | 'review.restored'
  | 'review.assigned'
  | 'review.begun'
  | 'review.info_requested'
  | 'review.info_received'
  | 'review.noted'
  | 'review.decided'
  | 'review.returned'
  | 'review.closed'
  | 'review.reported'
  | 'review.reopened'
  | 'list.created'
  | 'list.changed'
  | 'list.archived'
  | 'list.import_begun'
  | 'list.import_read'
  | 'list.import_published'
  | 'list.import_rejected'
  | 'hit.found'
  | 'hit.reopened'
  | 'hit.decided'
  | 'freeze.placed'
  | 'freeze.told'
  | 'freeze.lifted'
  | 'communication.drafted'
  | 'communication.edited'
  | 'communication.dismissed'
  | 'communication.filing_recorded'
  | 'communication.filing_refused'
  | 'communication.filed'
  | 'coaf_institution.changed'
  | 'dossier.exported'
  | 'artifact.stored'
  | 'artifact.linked'
  | 'artifact.viewed'
  | 'artifact.lost'
  | 'artifact.erased'
  | 'flow.published'
  | 'flow.drafted'
  | 'flow.draft_discarded'
  | 'privacy_notice.published'
  | 'reverification.changed'
  | 'provider.published'
  | 'provider.disabled'
  | 'provider.secret_shown'
  | 'house_schema.changed'
  | 'house_schema.filled'
  | 'house_schema.fill_retried'
  | 'session.created'
  | 'session.upload_refused'
  | 'session.upload_repeated'
  | 'session.submitted'
  | 'session.reopened'
  | 'session.evidence_reused'
  | 'session.round_lapsed'
  | 'session.completed'
  | 'session.expired'
  | 'session.cancelled'
  | 'session.decided'
  | 'session.answers_revealed'
  | 'repair.requested'
  | 'repair.applied'
  | 'repair.refused'
  | 'approval.requested'
  | 'approval.approved'
  | 'approval.applied'
  | 'approval.refused'
  | 'approval.withdrawn'
  | 'approval.expired'
  | 'approval.failed'
  | 'audit_log.reincarnation_requested'
  | 'audit_log.reincarnated'
  | 'audit_log.pruned'
  | 'audit_log.sealed_late'
  | 'audit_log.gap_found'
  | 'audit_log.gap_closed'
  | 'audit_log.witnessed'
  | 'audit_export.requested'
  | 'audit_export.finished'
  | 'audit_export.blocked'
  | 'audit_export.failed'
  | 'audit_export.downloaded'
  | 'audit_export.expired'
  | 'ops.feed.rewound'
  | 'ops.queue.rebuilt'
  | 'ops.index_key.rotated'
  | 'ops.keys.rotated'
  | 'ops.quota.set'
  | 'ops.single_handed.set'
  | 'state.bound'
  | 'state.altered'
  | 'access.noted'
  | 'catalogue.pinned';

/** Organisation id of entries that concern the whole installation, or an unknown organisation. */
export const OPERATIONS = '00000000-0000-0000-0000-000000000000';

export interface AuditSubject {
  readonly organisationId: string;
  readonly type: SubjectType;
  readonly id: string;
}

/** A subject without its organisation. */
export type Subject = Pick<AuditSubject, 'type' | 'id'>;

/** Ids, digests, codes and numbers, never personal data: the caller masks the content. */
export type AuditContent = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditDraft {
  readonly subject: AuditSubject;
  readonly action: AuditAction;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /** Time of the step by the database's clock; the column `recorded_at` has the same. */
  readonly occurredAt: Date;
  readonly content: AuditContent;
}

export interface ChainPosition {
  readonly seq: number;
  readonly previousHash: Buffer | null;
}

export const CHAIN_START: ChainPosition = { seq: 1, previousHash: null };

/** An entry as it is stored: the exact bytes that are hashed, and their hash. */
export interface ComposedEntry {
  readonly subject: AuditSubject;
  readonly action: AuditAction;
  readonly position: ChainPosition;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  /** Equals `occurredAt` in the hashed bytes. */
  readonly recordedAt: Date;
}

// The version of the hash formula, in the hashed bytes: old entries are still verified by their own formula.
export const HASH_FORMULA = 1;
const LEAF_PREFIX = Buffer.from([0]);

/** SHA-256 over 0x00 and the stored bytes: the leaf hash of RFC 6962, which the database also computes. */
export const entryHash = (canonical: Buffer): Buffer => sha256(Buffer.concat([LEAF_PREFIX, canonical]));

/** Builds the bytes and the hash of an entry at its position in the chain. Pure: equal arguments give equal bytes. */
export function composeEntry(draft: AuditDraft, position: ChainPosition): ComposedEntry {
  const canonical = Buffer.from(
    canonicalJson({
      v: HASH_FORMULA,
      organisation: draft.subject.organisationId,
      subject: `${draft.subject.type}:${draft.subject.id}`,
      seq: position.seq,
      previous: position.previousHash?.toString('hex') ?? null,
      action: draft.action,
      actor: `${draft.actor.type}:${draft.actor.id}`,
      requestId: draft.requestId,
      correlationId: draft.correlationId,
      occurredAt: draft.occurredAt.toISOString(),
      content: draft.content,
    }),
  );
  const { subject, action, occurredAt: recordedAt } = draft;
  return { subject, action, position, canonical, hash: entryHash(canonical), recordedAt };
}
