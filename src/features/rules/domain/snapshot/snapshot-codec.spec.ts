import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { featuresV1, retiredNumbers } from '../../language/feature-schema.js';
import {
  FactSheet,
  FeatureSchema,
  featureSchema,
  type FeatureDefinition,
  type FeatureName,
} from '../../language/index.js';
import { decodeFacts, describeFacts, encodeFacts } from './snapshot-codec.js';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../../test/fixtures/stored/${name}`, import.meta.url), 'utf8'));

/** A snapshot that was stored on 20 November 2026, and what was in it. */
const golden = fixture('facts-1.json') as {
  bytes: string;
  facts: Record<string, unknown>;
  lowerBounds: string[];
  withheld: string[];
};
const bytes = Buffer.from(golden.bytes, 'base64');
const pinned = Object.entries(fixture('feature-numbers.json') as Record<string, number>);

/** The facts of the golden snapshot, as another schema reads them; of features that were not there then, nothing. */
function goldenIn(schema: FeatureSchema): typeof golden {
  const { sheet, withheld } = decodeFacts(bytes, schema);
  const facts = Object.entries(describeFacts(bytes, schema)).filter(([name]) => name in golden.facts);
  return {
    bytes: golden.bytes,
    facts: Object.fromEntries(facts),
    lowerBounds: schema.features.filter(({ slot }) => sheet.saturated?.has(slot)).map(({ name }) => name),
    withheld: withheld.map(({ name }) => name),
  };
}

const added = (name: string, number: number): FeatureDefinition<FeatureName> => ({
  ...featuresV1.find((feature) => feature.name === 'outgoing.count24h')!,
  name: name as FeatureName,
  number,
});
const at = featuresV1.findIndex(({ name }) => name === 'outgoing.count24h');
const withAdded = (number: number): FeatureSchema =>
  new FeatureSchema(1, [
    ...featuresV1.slice(0, at),
    added('outgoing.count12h', number),
    ...featuresV1.slice(at),
  ]);
const FREE = 1 + Math.max(...featuresV1.map(({ number }) => number), ...retiredNumbers);

describe('the numbers of features', () => {
  it.each(pinned)('%s is %i for ever', (name, number) => {
    const owners = featuresV1.filter((one) => one.number === number).map((one) => one.name);
    expect(owners).toEqual(retiredNumbers.includes(number) ? [] : [name]);
  });

  it('are refused where one is used twice, used again, or missing', () => {
    expect(() => withAdded(5)).toThrow('number 5 of feature outgoing.count12h was used before');
    expect(() => new FeatureSchema(1, [added('outgoing.count12h', 7)], [7])).toThrow('was used before');
    for (const number of [undefined as unknown as number, -1, 0.5, 65_536]) {
      expect(() => withAdded(number)).toThrow('number is missing or not a whole number from 0 to 65535');
    }
  });
});

describe('stored facts', () => {
  it('read as they were when they were written, and are written so today', () => {
    expect(goldenIn(featureSchema)).toEqual(golden);
    const lists = { has: (list: string, value: string) => (list === 'away' ? undefined : value === 'KP') };
    const { sheet } = decodeFacts(bytes, featureSchema, lists);
    for (const value of ['BR', 'KP']) sheet.has('fatf-call-for-action', value);
    sheet.has('away', 'BR');
    // Without the personal values, which are put back before anything is written again.
    const { withheld } = decodeFacts(bytes, featureSchema);
    for (const feature of withheld) sheet.setAt(feature, 'somebody');
    expect(encodeFacts(sheet).toString('base64')).toBe(golden.bytes);
  });

  it('read the same when a feature was put in the middle since', () => {
    const schema = withAdded(FREE);
    expect(goldenIn(schema)).toEqual(golden);
    const sheet = new FactSheet(schema)
      .set('outgoing.count24h', 7)
      .set('outgoing.count12h' as FeatureName, 5);
    const read = decodeFacts(encodeFacts(sheet), schema).sheet;
    expect([read.fact('outgoing.count24h'), read.fact('outgoing.count12h' as FeatureName)]).toMatchObject([
      { value: 7 },
      { value: 5 },
    ]);
  });

  it('are read without a feature that was removed since, and refused where nobody knows one', () => {
    const { number } = featureSchema.get('outgoing.amounts24h');
    const rest = featuresV1.filter((feature) => feature.number !== number);
    const facts = Object.fromEntries(
      Object.entries(golden.facts).filter(([name]) => name !== 'outgoing.amounts24h'),
    );
    expect(goldenIn(new FeatureSchema(1, rest, [number]))).toEqual({
      ...golden,
      facts,
      lowerBounds: ['outgoing.sum24h'],
    });
    expect(() => decodeFacts(bytes, new FeatureSchema(1, rest))).toThrow('not in the schema');
  });
});
