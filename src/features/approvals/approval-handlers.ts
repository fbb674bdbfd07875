import type { ActorContext } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { registration } from '../../platform/registry/index.js';
import type { ApprovalAction } from './domain/act-names.js';
import type { ChangedValues } from './domain/approval.js';
import type { ApprovalEntity } from './store/entities/approval.entity.js';

/** A request with its reasons opened. */
export type Approval = Readonly<ApprovalEntity> & {
  readonly reason: string;
  readonly decisionReason: string | null;
};

/** Why a request ended without its effect. */
export type ApprovalEnding = 'REFUSED' | 'WITHDRAWN' | 'EXPIRED' | 'FAILED';

/**
 * The method locks the object and returns its current values of the names that the request changes. An approval is
 * refused with STATE_CONFLICT when they differ from the request's `before`.
 */
export const CurrentValues = registration<
  (tx: Tx, approval: Approval) => Promise<ChangedValues>,
  ApprovalAction
>('current values of an act');

/** The method refuses an approval for a reason outside of the object; it runs before the transaction. */
export const CheckAct = registration<(approval: Approval) => Promise<void>, ApprovalAction>(
  'check of an act',
);

/** The method applies the effect in the commit that makes the request APPLIED; throws when that is impossible. */
export const ApplyAct = registration<
  (tx: Tx, ctx: ActorContext, approval: Approval) => Promise<void>,
  ApprovalAction
>('apply an act');

/** The method puts the object back when a request ends without its effect. For objects that wait for their approval. */
export const EndAct = registration<
  (tx: Tx, ctx: ActorContext, approval: Approval, why: ApprovalEnding, reason: string) => Promise<void>,
  ApprovalAction
>('end of an act');
