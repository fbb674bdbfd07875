import type { Tx } from '../../../platform/database/index.js';

/** The lists that an organisation has made, by the keys that rules call them. The module above that knows lists provides it. */
export abstract class OwnLists {
  abstract keys(tx: Tx, organisationId: string): Promise<readonly string[]>;
}
