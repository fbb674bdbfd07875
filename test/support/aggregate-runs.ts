import { expect } from '@jest/globals';
import fc from 'fast-check';
import { newUuid } from '../../src/platform/kernel/index.js';
import type { DecryptedTransaction } from '../../src/features/kyt/domain/claimed.js';
import { NO_PARTIES, type IdentifiedParties } from '../../src/features/kyt/domain/facts/evidence.js';
import { movesCash } from '../../src/platform/kernel/reference/transaction-types.js';
import { customFieldKeyText } from '../../src/features/kyt/domain/custom-field-key.js';
import { CustomFieldHistoryService } from '../../src/features/kyt/facts/windows/custom-field-history.service.js';
import { VelocityFactProvider } from '../../src/features/kyt/facts/windows/velocity.fact-provider.js';
import { SimulatedHistory } from '../../src/features/kyt/replay/simulated-history.js';
import {
  parseDeclarations,
  FactSheet,
  featureSchema,
  type AggregateDefinition,
  type DeclaredFeature,
  type FactValue,
} from '../../src/features/rules/language/index.js';
import {
  customerOf,
  definitions,
  FEE,
  histories,
  CUSTOM_FIELDS,
  keyOfName,
  naively,
  NOON,
  plainFacts,
  RATES,
  TAG,
  type Naive,
  type PastTransaction,
  type Target,
} from './aggregates.js';
import type { TestApp } from './app.js';

type Reader = ConstructorParameters<typeof VelocityFactProvider>[0];

const KEYS = {
  computeIndex: (_organisation: string, kind: string, value: string): Buffer => keyOfName(kind, value),
};

const named = (kind: string, name: string | null): Buffer | null =>
  name === null ? null : keyOfName(kind, name);

/** The transaction as the pipeline has it in its hands. */
function opened(organisationId: string, one: PastTransaction): DecryptedTransaction {
  const customer = customerOf(one);
  const party = (country: string | null | undefined): object => ({ country: country ?? null });
  return {
    organisationId,
    seq: String(one.seq),
    occurredAt: new Date(one.occurredAt),
    receivedAt: new Date(one.receivedAt),
    documentKey: named('document', one.document),
    customerKey: customer && keyOfName(...customer),
    externalKey: named('customer', one.external),
    accountKey: named('account', one.account),
    cardKey: named('card', one.card),
    deviceKey: named('device', one.device),
    ipKey: named('ip', one.ip),
    counterpartyKey: named('counterparty', one.counterparty),
    submission: {
      type: one.type,
      channel: one.channel,
      amount: String(one.amount),
      currency: one.currency,
      direction: { value: one.direction, source: 'METADATA' },
      origin: party(one.originCountry),
      destination: party(one.destinationCountry),
      metadata: {
        ...(one.tag === null ? {} : { tag: one.tag }),
        ...(one.fee === null ? {} : { costs: { fee: one.fee } }),
      },
    },
  } as unknown as DecryptedTransaction;
}

/** Who the customer of a transaction without a document is known to be: half of them by a document. */
export function targetOf(past: PastTransaction): Target {
  // It is known of the transaction itself what was sent.
  const own = {
    ...past,
    originCountry: past.originCountry ?? null,
    destinationCountry: past.destinationCountry ?? null,
  };
  if (own.document !== null) return { own, other: own.external === null ? null : ['customer', own.external] };
  const isKnown = own.external !== null && Number(own.external.slice(1)) % 2 === 0;
  return { own, other: isKnown ? ['document', `d${own.external?.slice(1) ?? ''}`] : null };
}

const partiesOf = ({ own, other }: Target): IdentifiedParties => ({
  ...NO_PARTIES,
  subjectIndex: own.document === null && other ? keyOfName(...other) : null,
});

/** Stores a history as the service would have, in its order of receipt; its sequence numbers become those of the database. */
export async function storeHistory(
  t: TestApp,
  organisationId: string,
  history: readonly PastTransaction[],
): Promise<readonly PastTransaction[]> {
  const rows = history.map((one) => ({ id: newUuid(), one, open: opened(organisationId, one) }));
  const hex = (key: Buffer | null): string | null => key && `\\x${key.toString('hex')}`;
  const column = (of: (row: (typeof rows)[number]) => unknown): unknown[] => rows.map(of);
  const { rows: stored } = await t.owner.query<{ id: string; seq: string; velocity_entry: Buffer }>(
    `INSERT INTO kyt_transactions (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency,
       direction, direction_source, occurred_at, received_at, fingerprint, document_key, customer_key, external_key,
       account_key, device_key, ip_key, counterparty_key, card_key, origin_country, destination_country, sealed_body,
       request_id, correlation_id, trail_hash, cash)
     SELECT id, $1, $1, id::text, 'INGEST', type, channel, amount, currency, direction, 'METADATA', occurred_at, received_at,
       '', document_key, customer_key, external_key, account_key, device_key, ip_key, counterparty_key, card_key,
       origin_country, destination_country, '', '', '', '', cash
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::text[], $8::timestamptz[],
       $9::timestamptz[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[],
       $16::bytea[], $17::bytea[], $18::text[], $19::text[], $20::boolean[]) WITH ORDINALITY
       AS s (id, type, channel, amount, currency, direction, occurred_at, received_at, document_key, customer_key,
         external_key, account_key, device_key, ip_key, counterparty_key, card_key, origin_country,
         destination_country, cash, i)
     ORDER BY i RETURNING id, seq, velocity_entry`,
    [
      organisationId,
      column(({ id }) => id),
      column(({ one }) => one.type),
      column(({ one }) => one.channel),
      column(({ one }) => one.amount),
      column(({ one }) => one.currency),
      column(({ one }) => one.direction),
      column(({ open }) => open.occurredAt),
      column(({ open }) => open.receivedAt),
      column(({ open }) => hex(open.documentKey)),
      column(({ open }) => hex(open.customerKey)),
      column(({ open }) => hex(open.externalKey)),
      column(({ open }) => hex(open.accountKey)),
      column(({ open }) => hex(open.deviceKey)),
      column(({ open }) => hex(open.ipKey)),
      column(({ open }) => hex(open.counterpartyKey)),
      column(({ open }) => hex(open.cardKey)),
      // Null: stored before countries were kept. Empty: none was named.
      column(({ one }) => (one.originCountry === undefined ? null : (one.originCountry ?? ''))),
      column(({ one }) => (one.destinationCountry === undefined ? null : (one.destinationCountry ?? ''))),
      column(({ one }) => movesCash(one.type)),
    ],
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const outcomes = rows.flatMap(({ id, one }) =>
    one.outcomes.map((each, i) => ({ id, version: i + 1, ...each })),
  );
  await t.owner.query(
    `INSERT INTO kyt_evaluations (transaction_ref, evaluation_version, organisation_id, outcome, recommended_action,
       composition, defensible, receipt, receipt_hash, trail_hash, evaluated_at)
     SELECT id, version, $1, outcome, CASE outcome WHEN 'APPROVED' THEN 'NONE' WHEN 'CHALLENGED' THEN 'STEP_UP' ELSE 'HOLD' END,
       'COMPLETE', true, '', '', '', at
     FROM unnest($2::uuid[], $3::int[], $4::text[], $5::timestamptz[]) AS s (id, version, outcome, at)`,
    [
      organisationId,
      outcomes.map(({ id }) => id),
      outcomes.map(({ version }) => version),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ at }) => new Date(at)),
    ],
  );
  const values = rows.flatMap(({ id, one }) => [
    ...(one.tag === null
      ? []
      : [{ id, one, field: TAG.number, value: one.tag as string | number, isKey: true }]),
    ...(one.fee === null ? [] : [{ id, one, field: FEE.number, value: one.fee, isKey: false }]),
  ]);
  await t.owner.query(
    `INSERT INTO kyt_custom_field_values (organisation_id, seq, field, transaction_ref, occurred_at, value, key, velocity_entry)
     SELECT $1, t.seq, s.field, t.id, t.occurred_at, s.value, s.key, t.velocity_entry
     FROM unnest($2::uuid[], $3::int[], $4::text[], $5::bytea[]) AS s (id, field, value, key)
     JOIN kyt_transactions t ON t.id = s.id`,
    [
      organisationId,
      values.map(({ id }) => id),
      values.map(({ field }) => field),
      values.map(({ value }) => JSON.stringify(value)),
      values.map(({ value, isKey }) =>
        isKey ? hex(keyOfName('custom', customFieldKeyText(TAG, value))) : null,
      ),
    ],
  );
  return rows.map(({ id, one }) => ({ ...one, seq: Number(byId.get(id)?.seq) }));
}

/** The declarations of these aggregates, by the names `a0`, `a1` and so on. */
function declared(aggregates: readonly AggregateDefinition[]): readonly DeclaredFeature[] {
  const found: DeclaredFeature[] = [];
  // A rule declares twenty at most.
  for (let i = 0; i < aggregates.length; i += 20) {
    const named = aggregates.slice(i, i + 20).map((one, n) => [`a${i + n}`, one] as const);
    const { features, diagnostics } = parseDeclarations({
      aggregates: Object.fromEntries(named),
      customFields: CUSTOM_FIELDS,
      parameters: {},
    });
    expect(diagnostics).toEqual([]);
    found.push(...features);
  }
  return found;
}

/** Works these aggregates out for each of these transactions, by the reader that is given. */
export async function workedOut(
  reader: Reader,
  organisationId: string,
  targets: readonly Target[],
  aggregates: readonly AggregateDefinition[],
): Promise<readonly (readonly Naive[])[]> {
  const features = declared(aggregates);
  const schema = featureSchema.with(features);
  const rates = { readTables: () => Promise.resolve(new Map([[organisationId, RATES]])) };
  const provider = new VelocityFactProvider(reader, rates, new CustomFieldHistoryService(KEYS, null));
  const batch = targets.map(({ own }) => opened(organisationId, own));
  const sheets = targets.map(({ own }) => {
    const sheet = new FactSheet(schema);
    const brl = RATES.toBrl(own.amount, own.currency, own.occurredAt);
    if (brl !== null) sheet.set('amountBrl', brl);
    return sheet;
  });
  await provider.find(batch, sheets, targets.map(partiesOf));
  const named = schema.withNames(features);
  return sheets.map((sheet) =>
    aggregates.map((_, i): Naive => {
      const fact = sheet.factAt(named.getKnown(`aggregate.a${i}`));
      if (fact.state === 'KNOWN') return { value: fact.value, isBound: fact.saturated };
      return { why: fact.reason };
    }),
  );
}

/** The built-in facts about earlier transactions: values, or reasons why there are none. */
export interface BuiltIn {
  readonly facts: Readonly<Record<string, FactValue | string | null>>;
  readonly cameLate: boolean;
}

/** Works the built-in facts out for each of these transactions, in one batch. */
export async function builtInFacts(
  reader: Reader,
  organisationId: string,
  targets: readonly Target[],
): Promise<readonly BuiltIn[]> {
  const rates = { readTables: () => Promise.resolve(new Map([[organisationId, RATES]])) };
  const provider = new VelocityFactProvider(reader, rates, new CustomFieldHistoryService(KEYS, null));
  const sheets = targets.map(() => new FactSheet(featureSchema));
  const parties = targets.map(partiesOf);
  await provider.find(
    targets.map(({ own }) => opened(organisationId, own)),
    sheets,
    parties,
  );
  const own = featureSchema.features.filter(({ source }) => source === 'VELOCITY');
  return sheets.map((sheet, i) => ({
    facts: Object.fromEntries(
      own.map((feature) => {
        const fact = sheet.factAt(feature);
        if (fact.state !== 'KNOWN') return [feature.name, fact.reason];
        return [feature.name, fact.saturated ? `at least ${JSON.stringify(fact.value)}` : fact.value];
      }),
    ),
    cameLate: parties[i]?.cameLate ?? false,
  }));
}

/**
 * Compares the built-in facts of some transactions, which are read as one batch, with the plain way to work them out,
 * and with those of each transaction alone. Whether one came late is compared if every later row is looked at.
 */
async function compareBuiltIn(
  reader: Reader,
  organisationId: string,
  targets: readonly Target[],
  history: readonly PastTransaction[],
): Promise<number> {
  const found = await builtInFacts(reader, organisationId, targets);
  const together = new Set(targets.map(({ own }) => own.seq));
  for (const [i, target] of targets.entries()) {
    const [alone] = await builtInFacts(reader, organisationId, [target]);
    const { facts, cameLate } = found[i]!;
    expect(facts).toEqual(alone?.facts);
    const plain = plainFacts(target, history, together);
    expect({ ...facts, ...plain.facts }).toEqual(facts);
    if (history.length <= 128) expect(cameLate).toBe(plain.cameLate);
    else if (cameLate) expect(plain.cameLate).toBe(true);
  }
  return targets.length;
}

const REASONS: Readonly<Record<string, RegExp>> = {
  'no key': /^NO_[A-Z]+_KEY$/,
  unsure: /^WINDOW_INCOMPLETE$/,
  none: /^(NO_TRANSACTIONS|NOT_SENT)$/,
};

/**
 * Whether two results are the same. A quotient is the nearest double before it is rounded to 15 digits, so that the last
 * of them may differ by one where the next are 5; a root, that of a deviation, may differ in more.
 */
function isSame(fn: string, found: Naive, wanted: Naive): boolean {
  if ('why' in wanted) return 'why' in found && (REASONS[wanted.why]?.test(found.why) ?? false);
  if (!('value' in found) || found.isBound !== wanted.isBound) return false;
  const [a, b] = [Number(found.value), Number(wanted.value)];
  if (fn === 'sd') return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
  return found.value === wanted.value || (fn === 'mean' && Math.abs(a - b) <= 1e-14 * Math.abs(b));
}

/** Compares the aggregates of some transactions of a history with the plain way to work them out; returns how many. */
async function compare(
  reader: Reader,
  organisationId: string,
  history: readonly PastTransaction[],
  aggregates: readonly AggregateDefinition[],
  seenBy: (own: PastTransaction) => readonly PastTransaction[],
): Promise<number> {
  const targets = history
    .filter((_, i) => i % Math.max(1, Math.floor(history.length / 5)) === 0)
    .map(targetOf);
  return compareTargets(reader, organisationId, targets, aggregates, seenBy);
}

async function compareTargets(
  reader: Reader,
  organisationId: string,
  targets: readonly Target[],
  aggregates: readonly AggregateDefinition[],
  seenBy: (own: PastTransaction) => readonly PastTransaction[],
): Promise<number> {
  const found = await workedOut(reader, organisationId, targets, aggregates);
  targets.forEach((target, n) => {
    aggregates.forEach((definition, i) => {
      const wanted = naively(definition, target, seenBy(target.own));
      const got = found[n]![i]!;
      if (isSame(definition.function, got, wanted)) return;
      throw new Error(
        `${JSON.stringify(definition)} of ${JSON.stringify(target)}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`,
      );
    });
  });
  return targets.length * aggregates.length;
}

/** Definitions over random stored histories, `each` of them over one; returns how many values were compared. */
export async function compareStored(
  t: TestApp,
  reader: Reader,
  { count, each, seed }: { readonly count: number; readonly each: number; readonly seed?: number },
): Promise<number> {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      histories({ min: 1, max: 120 }),
      fc.array(definitions, { minLength: each, maxLength: each }),
      async (made, aggregates) => {
        const organisationId = newUuid();
        const history = await storeHistory(t, organisationId, made);
        compared += await compare(reader, organisationId, history, aggregates, () => history);
        const some = history.filter((_, i) => i % 7 === 0).map(targetOf);
        await compareBuiltIn(reader, organisationId, some, history);
      },
    ),
    { numRuns: Math.ceil(count / each), endOnFailure: true, ...(seed === undefined ? {} : { seed }) },
  );
  return compared;
}

/** The same over one history in which a document and a device have more rows than windows look at. */
export async function compareBeyondCap(t: TestApp, reader: Reader, count: number): Promise<number> {
  const [made = []] = fc.sample(histories({ min: 2_400, max: 2_400 }), { numRuns: 1, seed: 20_261_118 });
  const organisationId = newUuid();
  const history = await storeHistory(
    t,
    organisationId,
    made.map((one) => ({ ...one, document: 'd0', device: 'v0' })),
  );
  const aggregates = fc.sample(definitions, { numRuns: count, seed: 20_261_119 });
  return compare(reader, organisationId, history, aggregates, () => history);
}

/**
 * The same over one history of hot keys: nearly all rows are of one customer, payee, device and address. Any of them are
 * a batch: neighbours, and some that have many rows between them.
 */
export async function compareHotKeys(
  t: TestApp,
  reader: Reader,
  rows: number,
  runs: number,
): Promise<number> {
  const [made = []] = fc.sample(histories({ min: rows, max: rows }), { numRuns: 1, seed: 20_261_128 });
  const organisationId = newUuid();
  const hot = made.map((one, i) => {
    const keys = { device: 'v0', ip: 'i0', account: 'a0', tag: 'red' };
    // The customer's second key has rows as well, and so has another customer.
    const document = i % 5 === 0 ? one.document : 'd0';
    return {
      ...one,
      ...(i % 9 === 0 ? {} : keys),
      document,
      counterparty: i % 4 === 0 ? one.counterparty : 'p0',
    };
  });
  const history = await storeHistory(t, organisationId, hot);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(rows - 20),
      fc.uniqueArray(fc.nat(rows - 1), { maxLength: 12 }),
      fc.array(definitions, { minLength: 4, maxLength: 4 }),
      async (from, scattered, aggregates) => {
        const places = new Set([...scattered, ...Array.from({ length: 12 }, (_, i) => from + i)]);
        const targets = [...places].flatMap((place) => history[place] ?? []).map(targetOf);
        compared += await compareTargets(reader, organisationId, targets, aggregates, () => history);
        compared += await compareBuiltIn(reader, organisationId, targets, history);
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
  return compared;
}

/**
 * Stores transactions of one customer to one payee, a second apart. Returns a function that works the built-in facts of
 * some of them out as one batch.
 */
export async function oneKeyBatches(
  t: TestApp,
  reader: Reader,
  rows: number,
  more: (i: number) => Partial<PastTransaction> = () => ({}),
): Promise<(places: readonly number[]) => Promise<readonly BuiltIn[]>> {
  const [first] = fc.sample(histories({ min: 1, max: 1 }), { numRuns: 1, seed: 1 }).flat();
  const organisationId = newUuid();
  const none = { account: null, device: null, ip: null, card: null, tag: null, fee: null, outcomes: [] };
  const made = Array.from({ length: rows }, (_, i): PastTransaction => {
    const at = NOON - (rows - i) * 1_000;
    const keys = { document: 'd0', external: null, counterparty: 'p0', seq: i + 1 };
    return { ...first!, ...none, ...keys, occurredAt: at, receivedAt: at, ...more(i) };
  });
  const history = await storeHistory(t, organisationId, made);
  return (places) =>
    builtInFacts(
      reader,
      organisationId,
      places.map((place) => targetOf(history[place]!)),
    );
}

/** The same by a simulation, whose history is its file, in the order of the file. */
export async function compareSimulated(count: number, each: number): Promise<number> {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      histories({ min: 1, max: 60 }),
      fc.array(definitions, { minLength: each, maxLength: each }),
      async (made, aggregates) => {
        // A file tells of no outcomes, and every country that it does not name is none.
        const history = made.map((one) => ({
          ...one,
          outcomes: [],
          originCountry: one.originCountry ?? null,
          destinationCountry: one.destinationCountry ?? null,
        }));
        // The simulation finds out itself under which other key a customer had rows: by documents only here.
        const plain = history.map((one) => ({ ...one, external: null }));
        const targets = plain.map(targetOf);
        const found = await workedOut(new SimulatedHistory(), newUuid(), targets, aggregates);
        targets.forEach((target, n) => {
          const before = plain.filter(({ seq }) => seq < target.own.seq);
          aggregates.forEach((definition, i) => {
            const wanted = naively(definition, target, before);
            if (isSame(definition.function, found[n]![i]!, wanted)) return;
            throw new Error(
              `${JSON.stringify(definition)}: ${JSON.stringify(found[n]![i])}, not ${JSON.stringify(wanted)}`,
            );
          });
          compared += aggregates.length;
        });
      },
    ),
    { numRuns: Math.ceil(count / each), endOnFailure: true },
  );
  return compared;
}
