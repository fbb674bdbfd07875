import { Injectable } from '@nestjs/common';
import {
  EntryView,
  HitDispositionService,
  HitView,
  ListEntriesService,
  type HitRow,
} from '../../screening/index.js';

/** A hit with its list entry; null if the entry no longer exists. */
export interface HitInCase {
  readonly hit: HitView;
  readonly entry: EntryView | null;
}

/** Decrypts the hits of a case, and reads their list entries. */
@Injectable()
export class CaseHitsService {
  constructor(
    private readonly hits: HitDispositionService,
    private readonly lists: ListEntriesService,
  ) {}

  async read(organisationId: string, hits: readonly HitRow[]): Promise<HitInCase[]> {
    const [explanations, justifications, entries] = await Promise.all([
      this.hits.readExplanations(hits),
      this.hits.readJustifications(hits),
      this.lists.findByIds(
        organisationId,
        hits.map(({ entryId }) => entryId),
      ),
    ]);
    return hits.map((hit, i) => {
      const decodedEntry = entries.get(hit.entryId);
      return {
        hit: HitView.of(hit, explanations[i] ?? null, justifications[i] ?? null),
        entry: decodedEntry ? EntryView.of(decodedEntry.entry, decodedEntry.since) : null,
      };
    });
  }
}
