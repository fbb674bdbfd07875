import { Injectable } from '@nestjs/common';
import { column, sqlArray, statement, UnitOfWork } from '../../../platform/database/index.js';
import { NameKeyEntity, NameWordEntity } from './entities.js';

/** Maximum number of words per key: thousands begin with the same three letters; a fourth letter narrows them. */
const WORDS_PER_KEY = 200;
/** Customers with a word are counted up to this number; a word that reaches it is frequent. */
export const FREQUENT = 5_000;
/** Maximum number of customers with the rarest word that are examined. */
export const LOOKED_AT = 20_000;

const WORDS = statement(
  'search.words-by-key',
  `SELECT k.key, k.word FROM unnest($2::bytea[]) AS a (key) CROSS JOIN LATERAL (
     SELECT n.key, n.word FROM name_keys n WHERE n.organisation_id = $1 AND n.key = a.key LIMIT ${WORDS_PER_KEY}) k`,
  { key: column(NameKeyEntity, 'key'), word: column(NameKeyEntity, 'word') },
);

const BEARERS = statement(
  'search.bearers',
  `SELECT count(*)::int AS bearers FROM (
     SELECT FROM name_words w WHERE w.organisation_id = $1 AND w.word = ANY ($2::bytea[]) LIMIT ${FREQUENT}) counted`,
  { bearers: 'integer' },
);

// Finds customers with the rarest word who also have a match for each other typed word. Words are read in index order,
// so that a frequent word is read only as far as needed. The aggregate keeps the other words from becoming index
// conditions: each customer's few words are read once.
const FIND = statement(
  'search.by-words',
  `WITH rarest AS (
     SELECT w.customer_id FROM unnest($2::bytea[]) AS a (word) CROSS JOIN LATERAL (
       SELECT n.customer_id FROM name_words n WHERE n.organisation_id = $1 AND n.word = a.word
       ORDER BY n.words LIMIT ${LOOKED_AT}) w
     LIMIT ${LOOKED_AT})
   SELECT r.customer_id AS id FROM rarest r CROSS JOIN LATERAL (
     SELECT ($3::bytea[] IS NULL OR bool_or(w.word = ANY ($3::bytea[])))
        AND ($4::bytea[] IS NULL OR bool_or(w.word = ANY ($4::bytea[])))
        AND ($5::bytea[] IS NULL OR bool_or(w.word = ANY ($5::bytea[])))
        AND ($6::bytea[] IS NULL OR bool_or(w.word = ANY ($6::bytea[]))) AS all_there
     FROM name_words w WHERE w.organisation_id = $1 AND w.customer_id = r.customer_id) own
   WHERE own.all_there LIMIT $7`,
  { id: column(NameWordEntity, 'customerId') },
);

/** Maximum number of words that FIND takes in addition to the rarest word. */
export const MAX_OTHER_WORDS = 4;

/** Finds customers by words of their names. */
@Injectable()
export class NameSearchQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the words found by each of these keys. */
  findWords(
    organisationId: string,
    keys: readonly Buffer[],
  ): Promise<{ readonly key: Buffer; readonly word: Buffer }[]> {
    return this.uow.rows(organisationId, WORDS, [organisationId, sqlArray.bytes(keys)]);
  }

  /** Counts the customers with one of these words, up to FREQUENT. */
  async findCustomers(organisationId: string, words: readonly Buffer[]): Promise<number> {
    const [row] = await this.uow.rows(organisationId, BEARERS, [organisationId, sqlArray.bytes(words)]);
    return row?.bearers ?? 0;
  }

  /** Returns the customers with one word of each set, the shortest names first. */
  async find(
    organisationId: string,
    rarestWordSet: readonly Buffer[],
    otherWordSets: readonly (readonly Buffer[])[],
    limit: number,
  ): Promise<string[]> {
    const sets = Array.from({ length: MAX_OTHER_WORDS }, (_, i) => {
      const set = otherWordSets[i];
      return set ? sqlArray.bytes(set) : null;
    });
    const rows = await this.uow.rows(organisationId, FIND, [
      organisationId,
      sqlArray.bytes(rarestWordSet),
      ...sets,
      limit,
    ]);
    return [...new Set(rows.map(({ id }) => id))];
  }
}
