import { Injectable } from '@nestjs/common';
import { valueTypes } from '../domain/lists/list-entry.js';
import { SearchIndexService, type LoadedList } from '../search/search-index.service.js';
import { today } from '../hits/screening-rounds.service.js';
import { Clock } from '../../../platform/kernel/index.js';

/** Looks values up in lists, in constant time. Undefined if a list does not exist or is not loaded. */
@Injectable()
export class ListLookups {
  constructor(
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
  ) {}

  /** Looks up values in the lists of an organisation, for the rule expression `list('key').has(value)`. */
  forOrganisation(organisationId: string): {
    has(list: string, value: string): boolean | undefined;
    hasConfirmed(list: string, value: string): boolean | undefined;
    keys(): string[];
  } {
    const lists = this.searchIndex.loadedLists(organisationId);
    const day = today(this.clock.now());
    const find = (key: string): LoadedList | undefined => lists.find(({ row }) => row.key === key);
    return {
      has: (key, value) => find(key)?.exact.has(value, day),
      hasConfirmed: (key, value) => {
        const list = find(key);
        if (!list || list.ofOne.size === 0) return list?.exact.has(value, day);
        return valueTypes.some((type) =>
          list.exact.find({ type, value }, day).some(({ entryId }) => !list.ofOne.has(entryId)),
        );
      },
      keys: () => lists.map(({ row }) => row.key),
    };
  }
}
