import { Injectable } from '@nestjs/common';
import { CustomerRecordsService, type DecryptedCustomer } from '../../customers/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import { scoreNames, searchWords } from '../../screening/index.js';
import { queryKeys, hashKeys, wordToken } from '../domain/name-keys.js';
import { MAX_OTHER_WORDS, NameSearchQueries } from '../store/name-search.queries.js';

/** Maximum number of customers whose names are decrypted and compared with the typed name. */
const CANDIDATES = 100;

/** The stored words that match one typed word, and the number of customers who have any of these words. */
interface WordMatches {
  readonly words: readonly Buffer[];
  readonly bearers: number;
}

/** Finds customers by name: as written, by sound, by beginnings of at least three letters, and with typos. */
@Injectable()
export class CustomerNameSearch {
  constructor(
    private readonly index: BlindIndex,
    private readonly names: NameSearchQueries,
    private readonly customers: CustomerRecordsService,
  ) {}

  /** Returns the most similar names first. Each has every typed word: whole, as a beginning, misspelt or by sound. */
  async find(organisationId: string, name: string, limit: number): Promise<DecryptedCustomer[]> {
    const words = [...new Map(searchWords(name).map((word) => [word.text, word])).values()];
    if (words.length === 0) return [];
    const exact = words.map((word) => [wordToken(this.index, organisationId, word)]);
    const bearerIds = await this.bearersOf(organisationId, exact);
    if (bearerIds.length < limit) {
      const keys = words.map((word) => hashKeys(this.index, organisationId, queryKeys(word)));
      const byKey = new Map<string, Buffer[]>();
      for (const { key, word } of await this.names.findWords(organisationId, keys.flat())) {
        const name = key.toString('latin1');
        byKey.set(name, [...(byKey.get(name) ?? []), word]);
      }
      const meant = keys.map((own, i) =>
        distinctWords([
          ...(exact[i] ?? []),
          ...own.flatMap((key) => byKey.get(key.toString('latin1')) ?? []),
        ]),
      );
      bearerIds.push(...(await this.bearersOf(organisationId, meant)));
    }
    const customers = await this.customers.getMany(organisationId, [...new Set(bearerIds)]);
    return customers
      .map((one) => ({ one, score: scoreNames(name, one.profile?.name ?? '', 'UNKNOWN').score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ one }) => one);
  }

  private async bearersOf(organisationId: string, sets: readonly (readonly Buffer[])[]): Promise<string[]> {
    const meant: WordMatches[] = [];
    for (const words of sets) {
      meant.push({ words, bearers: await this.names.findCustomers(organisationId, words) });
    }
    const [rarest, ...others] = meant.sort((a, b) => a.bearers - b.bearers).slice(0, MAX_OTHER_WORDS + 1);
    if (!rarest || rarest.bearers === 0) return [];
    return this.names.find(
      organisationId,
      rarest.words,
      others.map(({ words }) => words),
      CANDIDATES,
    );
  }
}

const distinctWords = (words: readonly Buffer[]): Buffer[] => [
  ...new Map(words.map((word) => [word.toString('latin1'), word])).values(),
];
