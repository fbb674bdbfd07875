import { sha256 } from '../../../platform/kernel/index.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import type { ApprovalAction } from './acts.js';

export const approvalStatuses = [
  'REQUESTED',
  'APPROVED',
  'APPLIED',
  'REFUSED',
  'WITHDRAWN',
  'EXPIRED',
  'FAILED',
] as const;
/**
 * APPROVED: the waiting time is running. FAILED: at the end of the waiting time the object had changed since the
 * approval.
 */
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** The statuses of requests that may still take effect. */
export const openStatuses: readonly ApprovalStatus[] = ['REQUESTED', 'APPROVED'];

/** Values of an object, keyed by their name: ids, codes, numbers and settings as JSON, never personal data. */
export type ChangedValues = Readonly<Record<string, string | number | boolean | null | object>>;

/** Exactly what changes: the current values, and the values that replace them. */
export interface RequestedChange {
  readonly before: ChangedValues;
  readonly after: ChangedValues;
}

/** Returns SHA-256 over act, object and change. The approver sends this digest, and so approves exactly this change. */
export const digestOfChange = (
  act: ApprovalAction,
  subjectId: string,
  { before, after }: RequestedChange,
): Buffer => sha256(canonicalJson({ act, subjectId, before, after }));

export const areValuesEqual = (one: ChangedValues, other: ChangedValues): boolean =>
  canonicalJson(one) === canonicalJson(other);
