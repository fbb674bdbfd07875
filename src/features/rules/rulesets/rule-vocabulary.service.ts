import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import { shippedListIds } from '../data/country-lists.js';
import type { HouseFieldDefinition } from '../domain/house/house-schema.js';
import { currentHouseFields } from '../house/current-house.js';
import { OrganisationListKeys } from './organisation-list-keys.js';

/** The fields and lists that rules of an organisation may name, beside the fields that ship. */
export interface RuleVocabulary {
  readonly house: readonly HouseFieldDefinition[];
  readonly lists: ReadonlySet<string>;
}

@Injectable()
export class RuleVocabularyService {
  constructor(private readonly organisationLists: OrganisationListKeys) {}

  async read(tx: Tx, organisationId: string): Promise<RuleVocabulary> {
    const house = await currentHouseFields(tx, organisationId);
    const own = await this.organisationLists.listKeys(tx, organisationId);
    return { house, lists: new Set([...shippedListIds, ...own]) };
  }
}
