import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import { shippedListIds } from '../data/country-lists.js';
import type { CustomFieldDefinition } from '../domain/custom-fields/custom-field-schema.js';
import { currentCustomFields } from '../custom-fields/current-custom-fields.js';
import { OrganisationListKeys } from './organisation-list-keys.js';

/** The fields and lists that rules of an organisation may name, beside the fields that ship. */
export interface RuleVocabulary {
  readonly customFields: readonly CustomFieldDefinition[];
  readonly lists: ReadonlySet<string>;
}

@Injectable()
export class RuleVocabularyService {
  constructor(private readonly organisationLists: OrganisationListKeys) {}

  async read(tx: Tx, organisationId: string): Promise<RuleVocabulary> {
    const customFields = await currentCustomFields(tx, organisationId);
    const listKeys = await this.organisationLists.listKeys(tx, organisationId);
    return { customFields, lists: new Set([...shippedListIds, ...listKeys]) };
  }
}
