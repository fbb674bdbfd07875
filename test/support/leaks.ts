import { Redis } from 'ioredis';
import type pg from 'pg';
import { PackingBrokenError } from '../../src/platform/kernel/index.js';
import { receiptText } from '../../src/features/kyt/domain/stored/stored-packing.js';
import { unpackFacts } from '../../src/features/rules/index.js';
import { CPF } from './builders.js';

/**
 * No log line, no row and no key in Redis may hold these, whatever a test does: the documents and names that tests send,
 * and every kind of secret and token by its form. A new kind of token gets its line here.
 */
const FORBIDDEN: readonly {
  readonly name: string;
  readonly pattern: string;
  readonly text: string | null;
}[] = [
  literal('the CPF of the customer', CPF.customer),
  literal('the CPF of the payee', CPF.payee),
  literal('a punctuated CPF', '529.982.247-25'),
  literal('a punctuated CPF', '111.444.777-35'),
  literal('a name', 'Maria Exemplo'),
  literal('a name', 'João Exemplo'),
  literal('a canary', 'CANARY'),
  ...['vsk', 'vms', 'vrt', 'vit', 'vst', 'vdt', 'whsec', 'ses'].map((prefix) => ({
    name: `a secret or token ${prefix}_…`,
    pattern: `${prefix}_[A-Za-z0-9_+/-]{20}`,
    text: null,
  })),
  // Three Base64url parts, the first of them a JSON object: a JWT.
  {
    name: 'a JWT',
    pattern: 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}',
    text: null,
  },
];

function literal(name: string, text: string): (typeof FORBIDDEN)[number] {
  return { name, pattern: text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), text };
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const base64Of = (text: string): string =>
  // Without its last characters, whose Base64 depends on what follows.
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1);

/** Returns the kinds of forbidden text in a text: the report must not repeat what leaked. */
export function forbiddenIn(text: string): string[] {
  const found = FORBIDDEN.filter(({ pattern, text: word }) => {
    if (new RegExp(pattern).test(text)) return true;
    return (
      word !== null && (text.includes(hexOf(word)) || (word.length > 8 && text.includes(base64Of(word))))
    );
  });
  return [...new Set(found.map(({ name }) => name))];
}

/** Which of the words stand in the text: in clear, in hexadecimal or in Base64. */
export function leaksIn(text: string, words: Readonly<Record<string, string>>): string[] {
  const lower = text.toLowerCase();
  return Object.entries(words)
    .filter(
      ([, word]) =>
        lower.includes(word.toLowerCase()) || lower.includes(hexOf(word)) || text.includes(base64Of(word)),
    )
    .map(([name]) => name);
}

/** Every table there is, also those that no test knows of. */
async function tablesOf(owner: pg.Pool): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/** Every row of every table, as text. */
export async function databaseAsText(
  owner: pg.Pool,
): Promise<{ text: string; rows: Record<string, number> }> {
  let text = '';
  const rows: Record<string, number> = {};
  for (const name of await tablesOf(owner)) {
    const found = await owner.query<{ text: string }>(`SELECT r::text AS text FROM ${name} AS r`);
    rows[name] = found.rows.length;
    text += found.rows.map((row) => row.text).join('\n');
  }
  return { text: text + (await packedAsText(owner)), rows };
}

// Only the newest rows of larger tables are read: some tests store a hundred thousand that are all alike.
const ROWS_PER_TABLE = 3_000;

/** Where in the database something forbidden stands: `table: kind`. */
export async function forbiddenInDatabase(owner: pg.Pool): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tablesOf(owner)) {
    const { rows } = await owner.query<{ text: string }>(
      `SELECT r::text AS text FROM ${name} AS r ORDER BY ctid DESC LIMIT ${ROWS_PER_TABLE}`,
    );
    found.push(...forbiddenIn(rows.map((row) => row.text).join('\n')).map((kind) => `${name}: ${kind}`));
  }
  found.push(...forbiddenIn(await packedAsText(owner)).map((kind) => `packed: ${kind}`));
  return found;
}

/** The newest receipts and facts as they are once they are unpacked. */
async function packedAsText(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query<{ receipt: Buffer; facts: Buffer | null }>(
    `SELECT receipt, facts FROM kyt_evaluations ORDER BY ctid DESC LIMIT ${ROWS_PER_TABLE}`,
  );
  return rows
    .map(
      ({ receipt, facts }) =>
        `${unpacked(receiptText, receipt)}\n${facts ? unpacked(unpackFacts, facts) : ''}`,
    )
    .join('\n');
}

/** Some tests break rows on purpose. */
function unpacked(open: (stored: Buffer) => string | Buffer, stored: Buffer): string {
  try {
    return open(stored).toString();
  } catch (error) {
    if (error instanceof PackingBrokenError) return '';
    throw error;
  }
}

/** Every key of the prefix in Redis with everything in it, as text. */
export async function redisAsText({
  redisUrl,
  queuePrefix,
}: {
  readonly redisUrl?: string | null | undefined;
  readonly queuePrefix: string;
}): Promise<string> {
  if (!redisUrl) return '';
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    // Some tests end with a Redis that they took away; it holds nothing.
    const isThere = await redis.connect().then(
      () => true,
      () => false,
    );
    if (!isThere) return '';
    let text = '';
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${queuePrefix}*`, 'COUNT', 500);
      cursor = next;
      for (const key of keys) {
        const read: Record<string, () => Promise<unknown>> = {
          string: () => redis.get(key),
          hash: () => redis.hgetall(key),
          list: () => redis.lrange(key, 0, -1),
          set: () => redis.smembers(key),
          zset: () => redis.zrange(key, 0, -1),
          stream: () => redis.xrange(key, '-', '+'),
        };
        const type = await redis.type(key);
        text += `${key} ${JSON.stringify(await (read[type] ?? ((): Promise<unknown> => redis.dump(key)))())}\n`;
      }
    } while (cursor !== '0');
    return text;
  } finally {
    redis.disconnect();
  }
}
