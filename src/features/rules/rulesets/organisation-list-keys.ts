import type { Tx } from '../../../platform/database/index.js';

/** Reads the keys of an organisation's own lists, for rules. A module above Rules, which owns lists, provides it. */
export abstract class OrganisationListKeys {
  abstract listKeys(tx: Tx, organisationId: string): Promise<readonly string[]>;
}
