import type { ActorContext } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';

/** Work that waits for one operator. The module above that gives it out provides it. */
export abstract class OpenWork {
  /** Puts what an operator who may not do it any more has back into the queue; returns how many cases. */
  abstract giveBack(tx: Tx, ctx: ActorContext, operatorId: string): Promise<number>;
}
