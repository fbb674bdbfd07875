import { Injectable } from '@nestjs/common';
import { SearchIndexService } from '../search/search-index.service.js';
import { today } from '../hits/screening-rounds.service.js';
import { Clock } from '../../../platform/kernel/index.js';

/** Looks values up in lists, in constant time. Undefined if a list does not exist or is not loaded. */
@Injectable()
export class ListLookups {
  constructor(
    private readonly keeper: SearchIndexService,
    private readonly clock: Clock,
  ) {}

  /** Looks up values in the lists of an organisation, for the rule expression `list('key').has(value)`. */
  forOrganisation(organisationId: string): {
    has(list: string, value: string): boolean | undefined;
    keys(): string[];
  } {
    const lists = this.keeper.loadedLists(organisationId);
    const day = today(this.clock.now());
    return {
      has: (key, value) => lists.find(({ row }) => row.key === key)?.exact.has(value, day),
      keys: () => lists.map(({ row }) => row.key),
    };
  }
}
