import type { Tx } from '../../../platform/database/index.js';

/** Reads the keys by which rules name an organisation's own lists. The module above that knows lists provides it. */
export abstract class OwnLists {
  abstract listKeys(tx: Tx, organisationId: string): Promise<readonly string[]>;
}
