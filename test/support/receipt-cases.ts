import fc from 'fast-check';
import {
  brStarter,
  compileRuleset,
  contentHashOf,
  evaluate,
  FactSheet,
  featureSchema,
  shippedLists,
  unpackFacts,
  type Evidence,
  type ComponentFinding,
  type ComponentFindings,
  type PublishedRuleset,
  type RulesetContent,
  type SuppressionReason,
} from '../../src/features/rules/index.js';
import { brFirst } from './br-first.js';
import { inputHashOf, receiptOf, type ReceiptInput } from '../../src/features/kyt/domain/receipt.js';
import { knownBundleFields, type ReceiptBundle } from '../../src/features/kyt/domain/replay.js';
import { toSubmission } from '../../src/features/kyt/domain/submission/submission.js';
import {
  setMetadataFacts,
  setTransactionFacts,
} from '../../src/features/kyt/domain/facts/transaction-facts.js';

function published(content: RulesetContent): PublishedRuleset {
  const result = compileRuleset(content);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return { id: 'r', contentHash: contentHashOf(content), content, compiled: result.ruleset };
}
export const rulesets = [published(brStarter), published(brFirst)] as const;
const [, first] = rulesets;

export const CPFS = ['52998224725', '11144477735', '***.982.247-**'] as const;
const words = fc.stringMatching(/^[A-Za-zÀ-ü0-9 ]{1,12}$/);
const participant = fc.record(
  {
    name: words,
    cpfCnpj: fc.constantFrom<string[]>(...CPFS),
    accountReference: words,
    walletReference: words,
    bankReference: words,
    country: fc.constantFrom('BR', 'PT', 'KP', 'US'),
    metadata: fc.record({ address: words, birthDate: fc.constant('1990-01-01') }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const bodies = fc.record({
  transactionId: fc.uuid(),
  externalCustomerId: fc.option(words, { nil: null }),
  cpfCnpj: fc.option(fc.constantFrom<string[]>(...CPFS), { nil: null }),
  type: fc.constantFrom(
    'PIX_TRANSFER',
    'CASH_DEPOSIT',
    'CARD_PURCHASE',
    'ACCOUNT_CREDIT',
    'FX_OUTBOUND',
    'NEW_ONE',
  ),
  channel: fc.constantFrom('MOBILE_APP', 'API'),
  amount: fc.integer({ min: 1, max: 9_000_000 }).map((cents) => cents / 100),
  currency: fc.constantFrom('BRL', 'EUR'),
  occurredAt: fc.constantFrom('2026-11-20T12:00:00Z', '2026-11-20T22:59:59-03:00'),
  origin: participant,
  destination: participant,
  metadata: fc.record(
    {
      direction: fc.constantFrom('IN', 'OUT'),
      deviceId: words,
      ipAddress: fc.constantFrom<string[]>('203.0.113.7', '198.51.100.2'),
      declines: fc.integer({ min: 0, max: 9 }),
    },
    { requiredKeys: [] },
  ),
});

type Found =
  readonly ['KNOWN', number] | readonly ['CAPPED', number] | readonly ['MISSING' | 'ERROR' | 'STALE', 0];
const found: fc.Arbitrary<Found> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('KNOWN' as const), fc.integer({ min: 0, max: 60_000 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('CAPPED' as const), fc.integer({ min: 0, max: 60_000 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('MISSING', 'ERROR', 'STALE'), fc.constant(0 as const)) },
);
const others = featureSchema.features.filter(
  ({ source }) => !['TRANSACTION', 'METADATA', 'DICT'].includes(source),
);
const states = fc.constantFrom('NO_HIT', 'PARTIAL', 'MISSING_INPUT', 'STALE_SOURCE', 'ERROR') as fc.Arbitrary<
  ComponentFinding['state']
>;

/** Transactions with facts of every kind and state, judged by one ruleset or the other, or none. */
export const receiptCases = fc.record({
  body: bodies,
  facts: fc.array(found, { minLength: others.length, maxLength: others.length }),
  findings: fc.record(
    { IDENTITY: states, COUNTERPARTY: states, LISTS: states, VELOCITY: states, PROFILE: states },
    { requiredKeys: ['IDENTITY'] },
  ),
  contradictions: fc.subarray(['CUSTOMER_IS_NEITHER_PARTY']),
  deciding: fc.constantFrom(0, 1, null),
  silenced: fc.subarray(['BR-VEL-10', 'BR-AMOUNT-01', 'BR-DATA-25']),
  withShadow: fc.boolean(),
  trailIntact: fc.boolean(),
});
export type ReceiptCase = typeof receiptCases extends fc.Arbitrary<infer T> ? T : never;

const AS_OF = '2026-11-20T15:00:00.000Z';

function setOther(sheet: FactSheet, i: number, [state, value]: Found): void {
  const feature = others[i]!;
  if (state !== 'KNOWN' && state !== 'CAPPED') {
    sheet.setUnknownAt(feature, { state, reason: 'TEST' });
    return;
  }
  const given = {
    number: value,
    time: Date.parse(AS_OF) - value * 60_000,
    bool: value % 2 === 0,
    string: value % 2 === 0 ? 'NATURAL' : 'LEGAL',
    numbers: [value, 9_900, 9_900, 5_000, 5_000],
    strings: value % 3 === 0 ? ['DOCUMENT'] : [],
  }[feature.type];
  if (state === 'CAPPED' && feature.capped) sheet.setCappedAt(feature, given);
  else sheet.setAt(feature, given);
}

/** The facts and findings of such a transaction. */
export function evidenceOf(given: ReceiptCase): Evidence {
  const submission = toSubmission(given.body, Date.parse(AS_OF));
  const sheet = new FactSheet(featureSchema, shippedLists());
  setTransactionFacts(sheet, { submission, receivedAt: new Date(AS_OF) });
  setMetadataFacts(sheet, submission);
  given.facts.forEach((one, i) => {
    setOther(sheet, i, one);
  });
  const findings = Object.fromEntries(
    Object.entries(given.findings).map(([name, state]) => [name, { state, source: 'test', asOf: AS_OF }]),
  ) as ComponentFindings;
  return { sheet, findings, contradictions: given.contradictions };
}

/** Returns the bundle that the service would export for such a transaction. */
export function bundleOf(given: ReceiptCase): ReceiptBundle {
  const input: ReceiptInput = {
    source: 'INGEST',
    transactionId: given.body.transactionId,
    receivedAt: AS_OF,
    body: given.body,
  };
  const evidence = evidenceOf(given);
  const ruleset = given.deciding === null ? null : rulesets[given.deciding];
  const silenced = new Map(given.silenced.map((key): [string, SuppressionReason] => [key, 'SNOOZED']));
  const context = { trailIntact: given.trailIntact, asOf: AS_OF, silenced };
  const evaluation = evaluate(evidence, ruleset, context);
  const shadows =
    given.withShadow && ruleset ? [{ ruleset: first, evaluation: evaluate(evidence, first, context) }] : [];
  const receipt = receiptOf({
    transactionRef: '019364d0-c0de-7000-a000-000000000001',
    evaluationVersion: 1,
    evaluatedAt: AS_OF,
    inputHash: inputHashOf(input),
    evidence,
    ruleset,
    silenced,
    trailIntact: given.trailIntact,
    trail: { seq: 1, hash: 'ab'.repeat(32) },
    evaluation,
    champion: null,
    shadows,
  });
  return knownBundleFields({
    format: 'vigia-receipt/1',
    receipt: receipt.text,
    receiptHash: receipt.hash.toString('hex'),
    facts: unpackFacts(receipt.facts).toString('base64'),
    rulesets: {
      ...(ruleset ? { [ruleset.contentHash]: ruleset.content } : {}),
      ...(shadows.length > 0 ? { [first.contentHash]: first.content } : {}),
    },
    input,
  });
}
