import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { CustomerEntity } from '../../customers/index.js';
import {
  column,
  execute,
  properties,
  sqlArray,
  statement,
  system,
  waitForLock,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { NameChangeEntity, NameWordEntity } from './entities.js';

const FIND_PENDING_CHANGES = statement(
  'search.names-pending',
  `SELECT c.id, c.organisation_id AS "organisationId", c.sealed FROM name_changes n
   JOIN customers c ON c.id = n.customer_id AND c.organisation_id = n.organisation_id
   ORDER BY n.organisation_id, n.customer_id LIMIT $1`,
  properties(CustomerEntity, 'id', 'organisationId', 'sealed'),
);

/** A customer whose name has to be indexed. */
export type ChangedName = Rows<typeof FIND_PENDING_CHANGES>;

// A name that changed again meanwhile stays in the queue, and an erased customer is not indexed. Removed words are
// selected by customer id alone: with a condition on the organisation, PostgreSQL would scan all words.
const WRITE = statement(
  'search.write-names',
  `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::bytea[]) AS g (id, sealed)),
     done AS (
       DELETE FROM name_changes n USING customers c, given g
       WHERE n.organisation_id = $1 AND n.customer_id = g.id AND c.id = g.id AND c.organisation_id = $1
         AND c.sealed = g.sealed
       RETURNING n.customer_id AS id, c.erased_at IS NULL AS alive),
     fresh AS (
       SELECT w.id, w.word, w.words FROM unnest($4::uuid[], $5::bytea[], $6::int[]) AS w (id, word, words)
       JOIN done d ON d.id = w.id AND d.alive),
     gone AS (
       DELETE FROM name_words o USING done d WHERE o.customer_id = d.id
         AND NOT EXISTS (SELECT FROM fresh f WHERE f.id = o.customer_id AND f.word = o.word)
       RETURNING o.word),
     written AS (
       INSERT INTO name_words AS o (customer_id, word, words, organisation_id)
       SELECT id, word, words, $1 FROM fresh
       ON CONFLICT (customer_id, word, organisation_id) DO UPDATE SET words = excluded.words
         WHERE o.words <> excluded.words),
     keyed AS (
       INSERT INTO name_keys (key, word, organisation_id)
       SELECT k.key, k.word, $1 FROM unnest($7::bytea[], $8::bytea[]) AS k (key, word)
       WHERE k.word IN (SELECT word FROM fresh)
       ON CONFLICT DO NOTHING)
   SELECT DISTINCT word FROM gone`,
  { word: column(NameWordEntity, 'word') },
);

const FORGET_KEYS = statement(
  'search.forget-keys',
  `DELETE FROM name_keys k WHERE k.organisation_id = $1 AND k.word = ANY ($2::bytea[]) AND NOT EXISTS (
     SELECT FROM name_words w WHERE w.organisation_id = $1 AND w.word = k.word)`,
);

/** The words of one customer's name, with the search keys of each. */
export interface IndexedName {
  readonly name: ChangedName;
  readonly words: readonly { readonly word: Buffer; readonly keys: readonly Buffer[] }[];
}

/** Stores the words and keys by which customers are found. */
@Injectable()
export class NameIndexRepository {
  constructor(private readonly uow: UnitOfWork) {}

  listPendingChanges(limit: number): Promise<ChangedName[]> {
    return this.uow.rows(system('search.names'), FIND_PENDING_CHANGES, [limit]);
  }

  /** Replaces the words of customers of one organisation. */
  async write(organisationId: string, names: readonly IndexedName[]): Promise<void> {
    const words = names.flatMap(({ name, words: all }) =>
      all.map(({ word }) => ({ id: name.id, word, count: all.length })),
    );
    const keys = new Map(names.flatMap((one) => one.words.map((w) => [w.word.toString('latin1'), w])));
    const pairs = [...keys.values()].flatMap((w) => w.keys.map((key) => ({ key, word: w.word })));
    await this.uow.run(organisationId, async (tx) => {
      await waitForLock(tx, turnOf(organisationId));
      const gone = await execute(tx, WRITE, [
        organisationId,
        sqlArray.uuids(names.map(({ name }) => name.id)),
        sqlArray.bytes(names.map(({ name }) => name.sealed)),
        sqlArray.uuids(words.map(({ id }) => id)),
        sqlArray.bytes(words.map(({ word }) => word)),
        sqlArray.plain(words.map(({ count }) => count)),
        sqlArray.bytes(pairs.map(({ key }) => key)),
        sqlArray.bytes(pairs.map(({ word }) => word)),
      ]);
      await this.forgetKeys(
        tx,
        organisationId,
        gone.map(({ word }) => word),
      );
    });
  }

  /** Deletes the words of these customers, and the keys of words that no other name contains. */
  async forget(tx: Tx, organisationId: string, customerIds: readonly string[]): Promise<void> {
    await waitForLock(tx, turnOf(organisationId));
    const nameRows = { organisationId, customerId: In([...customerIds]) };
    const words = await tx.find(NameWordEntity, { select: { word: true }, where: nameRows });
    await tx.delete(NameWordEntity, nameRows);
    await tx.delete(NameChangeEntity, nameRows);
    await this.forgetKeys(
      tx,
      organisationId,
      words.map(({ word }) => word),
    );
  }

  private async forgetKeys(tx: Tx, organisationId: string, words: readonly Buffer[]): Promise<void> {
    if (words.length > 0) await execute(tx, FORGET_KEYS, [organisationId, sqlArray.bytes(words)]);
  }
}

/**
 * Returns the name of the lock that serializes writers: while one deletes keys of an unused word, another may use the
 * word.
 */
const turnOf = (organisationId: string): string => `names of ${organisationId}`;
