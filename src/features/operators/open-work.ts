import type { ActorContext } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';

/** The open cases of an operator. A module above, which assigns them, provides the implementation. */
export abstract class OpenWork {
  /** Puts the open cases of an operator back into the queue; returns how many. */
  abstract returnCases(tx: Tx, ctx: ActorContext, operatorId: string): Promise<number>;
}
