import type { ActorContext } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { registration } from '../../platform/registry/index.js';
import type { Act } from './domain/act-names.js';
import type { Values } from './domain/approval.js';
import type { ApprovalEntity } from './store/entities/approval.entity.js';

/** A request with its reasons opened. */
export type Approval = Readonly<ApprovalEntity> & {
  readonly reason: string;
  readonly decisionReason: string | null;
};

/** Why a request ended without its effect. */
export type Ending = 'REFUSED' | 'WITHDRAWN' | 'EXPIRED' | 'FAILED';

/**
 * The method answers what the object says now, of the values that the request is about, and locks it. An approval is
 * refused with STATE_CONFLICT when that is no longer what the request holds as `before`.
 */
export const CurrentValues = registration<(tx: Tx, approval: Approval) => Promise<Values>, Act>(
  'current values of an act',
);

/** The method refuses an approval for what stands outside of the object; before the transaction, in which it has no part. */
export const CheckAct = registration<(approval: Approval) => Promise<void>, Act>('check of an act');

/** The method brings an approved effect about, in the commit of the approval; it throws when that cannot be any more. */
export const ApplyAct = registration<(tx: Tx, ctx: ActorContext, approval: Approval) => Promise<void>, Act>(
  'apply an act',
);

/** The method puts the object back when a request ends without its effect. For objects that wait for their approval. */
export const EndAct = registration<
  (tx: Tx, ctx: ActorContext, approval: Approval, why: Ending, reason: string) => Promise<void>,
  Act
>('end of an act');
