import type { ActorContext } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';

/** The open cases of an operator. Reviews, which imports this module, provides the implementation. */
export abstract class OpenCaseRegistry {
  /** Unassigns the open cases of an operator; returns how many. */
  abstract unassignCases(tx: Tx, ctx: ActorContext, operatorId: string): Promise<number>;
}
