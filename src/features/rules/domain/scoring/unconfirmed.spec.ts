import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brStarter } from '../../data/br-starter/index.js';
import {
  FactSheet,
  featureSchema,
  type Fact,
  type FeatureName,
  type FactValue,
} from '../../language/index.js';
import { compileRuleset } from '../compiled-ruleset.js';
import { contentHashOf } from '../content-hash.js';
import type { PublishedRuleset } from '../ruleset.js';
import { evaluate, type Evaluation, type Evidence } from './compose.js';
import { outcomes } from './outcome.js';
import { evaluateGravest, profileGapOf, restoreOtherwise } from './unconfirmed.js';

const compilation = compileRuleset(brStarter);
if (!compilation.ok) throw new Error('the starter rules do not compile');
const ruleset: PublishedRuleset = {
  id: '',
  content: brStarter,
  contentHash: contentHashOf(brStarter),
  compiled: compilation.ruleset,
};
const CONTEXT = { trailIntact: true, asOf: '2026-11-20T12:00:00.000Z' };

const VALUES = {
  'profile.monthlyIncome': [null, 800, 4_000, 900_000],
  'profile.nightLimit': [null, 100, 1_000_000],
  'profile.nightStartHour': [null, 20, 22],
  'profile.pep': [null, true, false],
  'profile.riskLevel': [null, 'LOW', 'HIGH'],
  'profile.age': [null, 17, 40, 80],
} as const satisfies Partial<Record<FeatureName, readonly (FactValue | null)[]>>;
type Name = keyof typeof VALUES;
const names = Object.keys(VALUES) as Name[];

type Values = Readonly<Record<Name, FactValue | null>>;
const anyValues = fc.record(
  Object.fromEntries(names.map((name) => [name, fc.constantFrom<FactValue | null>(...VALUES[name])])),
) as fc.Arbitrary<Values>;

function put(sheet: FactSheet, values: Values, which: readonly Name[] = names): FactSheet {
  for (const name of which) {
    const value = values[name];
    if (value === null) sheet.setUnknown(name, 'MISSING', 'NOT_DECLARED');
    else sheet.set(name, value);
  }
  return sheet;
}

/** A PIX that has everything but what its profile says. */
function sheetOf(amount: number, hour: number, values: Values): FactSheet {
  const sheet = new FactSheet(ruleset.compiled.schema)
    .set('type', 'PIX_TRANSFER')
    .set('channel', 'MOBILE_APP')
    .set('direction', 'OUT')
    .set('currency', 'BRL')
    .set('customer.personType', 'NATURAL')
    .set('amountBrl', amount)
    .set('outgoing.sum24h', amount)
    .set('occurredAt', new Date(Date.UTC(2026, 10, 20, hour)));
  return put(sheet, values);
}

function evidenceOf(sheet: FactSheet): Evidence {
  const found = { source: 'test', asOf: CONTEXT.asOf, state: 'NO_HIT' } as const;
  return {
    sheet,
    findings: {
      ...{
        IDENTITY: found,
        COUNTERPARTY: found,
        LISTS: found,
        VELOCITY: found,
        DEVICE_IP: found,
        DICT: found,
      },
      PROFILE: { ...found, ...profileGapOf(sheet) },
    },
    contradictions: [],
  };
}

const gravity = ({ outcome, recommendedAction }: Evaluation): number =>
  outcomes.indexOf(outcome) * 2 + (recommendedAction === 'DECLINE' ? 1 : 0);

describe('A result with facts behind which one person stands', () => {
  it('is never milder than without that person, nor than with what they wrote', () => {
    fc.assert(
      fc.property(
        anyValues,
        anyValues,
        fc.subarray(names),
        fc.constantFrom(50, 1_500, 12_000, 60_000),
        fc.constantFrom(2, 15),
        (said, before, alone, amount, hour) => {
          const sheet = sheetOf(amount, hour, said);
          const without: Values = {
            ...said,
            ...Object.fromEntries(alone.map((name) => [name, before[name]])),
          };
          for (const name of alone) {
            const value = before[name];
            const fact: Fact =
              value === null
                ? { state: 'MISSING', reason: 'NOT_DECLARED' }
                : { state: 'KNOWN', value, saturated: false };
            sheet.setUnconfirmedAt(featureSchema.get(name), fact);
          }
          const { evaluation, evidence } = evaluateGravest(evidenceOf(sheet), ruleset, CONTEXT);
          const asIs = evaluate(evidenceOf(sheetOf(amount, hour, said)), ruleset, CONTEXT);
          const other = evaluate(evidenceOf(sheetOf(amount, hour, without)), ruleset, CONTEXT);
          expect(gravity(evaluation)).toBe(Math.max(gravity(asIs), gravity(other)));
          const isNamed = evaluation.reasons.some(({ reasonCode }) => reasonCode === 'ONE_PERSON');
          expect(isNamed).toBe(evidence.unconfirmed !== undefined);
          if (gravity(other) > gravity(asIs)) expect(evidence.unconfirmed).toEqual([...alone].sort());
          // From what the receipt keeps of either side, the second look can be taken again.
          expect(Object.keys(evidence.otherwise ?? {}).sort()).toEqual([...alone].sort());
          const kept = sheetOf(amount, hour, evidence.unconfirmed ? without : said);
          if (evidence.otherwise) restoreOtherwise(kept, evidence.otherwise);
          const { unconfirmed, otherwise } = evidence;
          const again = evaluateGravest({ ...evidenceOf(kept), unconfirmed, otherwise }, ruleset, CONTEXT);
          expect(gravity(again.evaluation)).toBe(gravity(evaluation));
          const says = again.evaluation.reasons.some(({ reasonCode }) => reasonCode === 'ONE_PERSON');
          expect(says).toBe(isNamed);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is made once, of the same evidence, where nobody acted alone', () => {
    const evidence = evidenceOf(sheetOf(12_000, 15, { ...BLANK, 'profile.monthlyIncome': 4_000 }));
    expect(evaluateGravest(evidence, ruleset, CONTEXT).evidence).toBe(evidence);
    expect(evidence.sheet.withoutUnconfirmed()).toBeNull();
  });

  it('leaves out the answer of a list that rests on an entry of one person', () => {
    const confirmed = new Set<string>();
    const lists = { has: () => true, hasConfirmed: (_: string, value: string) => confirmed.has(value) };
    const sheet = new FactSheet(ruleset.compiled.schema, lists);
    expect(sheet.withoutUnconfirmed()).toBeNull();
    sheet.has('shared-networks', '203.0.113.7');
    const other = sheet.withoutUnconfirmed();
    expect(other?.names).toEqual(["list('shared-networks')"]);
    expect(other?.sheet.has('shared-networks', '203.0.113.7')).toBe(false);
    confirmed.add('203.0.113.7');
    expect(sheet.withoutUnconfirmed()).toBeNull();
  });
});

const BLANK = Object.fromEntries(names.map((name) => [name, null])) as Values;
