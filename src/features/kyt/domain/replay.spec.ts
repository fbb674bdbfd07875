import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bundleOf, receiptCases as cases, type ReceiptCase } from '../../../../test/support/receipt-cases.js';
import { brStarter, contentHashOf, featureSchema } from '../../rules/index.js';
import { verifyBundle, verifyReceipt, type ReceiptBundle } from './replay.js';
import { runsInPart } from '../../../../test/support/needs.js';

const RUNS = runsInPart(2_000);

describe('a decision receipt', () => {
  it('replays, apart from the service, to the same score and hash', () => {
    let hits = 0;
    fc.assert(
      fc.property(cases, (given) => {
        const bundle = bundleOf(given);
        const report = verifyReceipt(bundle);
        expect(report.problems).toEqual([]);
        expect(report.receiptHash).toBe(bundle.receiptHash);
        const receipt = JSON.parse(bundle.receipt) as { score: number | null; reasons: unknown[] };
        expect(report.score).toBe(receipt.score);
        hits += receipt.reasons.length;
      }),
      { numRuns: RUNS },
    );
    // The cases are about something: rules did hit. 10,000 of them are in test/heavy.
    expect(hits).toBeGreaterThan(RUNS);
  });

  it('a changed byte is found, wherever it is', () => {
    const samples = fc.sample(cases, 8).map((given) => JSON.stringify(bundleOf(given)));
    expect(samples.map((text) => verifyBundle(text).problems)).toEqual(samples.map(() => []));
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (text, place, change) => {
          const bytes = Buffer.from(text);
          const at = place % bytes.length;
          bytes[at] = bytes[at]! ^ change;
          expect(verifyBundle(bytes.toString('utf8')).problems).not.toEqual([]);
        },
      ),
      { numRuns: runsInPart(1_000) },
    );
  });

  it('holds nothing personal: names, documents, accounts, devices and addresses are not in receipt and facts', () => {
    const [given] = fc.sample(cases, 1);
    const person = {
      name: 'CANARY-NAME',
      cpfCnpj: '52998224725',
      accountReference: 'CANARY-ACCOUNT',
      bankReference: 'CANARY-BANK',
      walletReference: 'CANARY-WALLET',
      metadata: { address: 'CANARY-ADDRESS' },
    };
    const metadata = {
      deviceId: 'CANARY-DEVICE',
      ipAddress: '203.0.113.7',
      wallet: { custody: 'CANARY free text' },
    };
    const body: ReceiptCase['body'] = {
      ...given!.body,
      externalCustomerId: 'CANARY-CUSTOMER',
      cpfCnpj: '52998224725',
      origin: person,
      destination: person,
      metadata,
    };
    const { receipt, facts } = bundleOf({ ...given!, body });
    const text = receipt + Buffer.from(facts, 'base64').toString('latin1');
    expect(text).not.toMatch(/CANARY|52998224725|203\.0\.113/);
  });

  it('after an erasure replays without the submission as long as no rule read what is gone', () => {
    const [given] = fc.sample(cases, 1);
    const bundle = bundleOf({ ...given!, deciding: 1, withShadow: false });
    expect(verifyReceipt({ ...bundle, input: null }).problems).toEqual([]);
  });

  it.each<[string, (bundle: ReceiptBundle) => ReceiptBundle, string]>([
    [
      'another receipt',
      (b) => ({ ...b, receipt: b.receipt.replace('{', '{ ') }),
      'RECEIPT_DOES_NOT_MATCH_ITS_HASH',
    ],
    ['other facts', (b) => ({ ...b, facts: `AAAA${b.facts.slice(4)}` }), 'FACTS_DO_NOT_MATCH_THEIR_HASH'],
    [
      'no ruleset',
      (b) => ({ ...b, rulesets: {} }),
      `RULESET_IS_NOT_IN_THE_BUNDLE:br-starter@${brStarter.version}`,
    ],
    [
      'a softer ruleset',
      (b) => ({ ...b, rulesets: { [contentHashOf(brStarter)]: { ...brStarter, rules: [] } } }),
      'RULESET_DOES_NOT_MATCH_ITS_HASH',
    ],
    [
      'another submission',
      (b) => ({ ...b, input: { ...b.input!, body: { ...b.input!.body, amount: 1 } } }),
      'SUBMISSION_DOES_NOT_MATCH_ITS_HASH',
    ],
  ])('%s is named', (_what, change, problem) => {
    const [given] = fc.sample(cases, 1);
    const bundle = bundleOf({ ...given!, deciding: 0, withShadow: false });
    expect(verifyReceipt(change(bundle)).problems).toContain(problem);
  });

  it('one of a formula that is not known does not replay', () => {
    const [given] = fc.sample(cases, 1);
    const bundle = bundleOf({ ...given!, deciding: 0, withShadow: false });
    const receipt = bundle.receipt.replace(/"formula":\d+/, '"formula":99');
    expect(verifyReceipt({ ...bundle, receipt, receiptHash: bundleHash(receipt) }).problems).toContain(
      'FORMULA_IS_NOT_KNOWN',
    );
  });

  it('one of the formula before, whose facts tell of no undecided hit, replays as it was', () => {
    const UNDECIDED = featureSchema.features
      .filter(({ source }) => !['TRANSACTION', 'METADATA', 'DICT'].includes(source))
      .findIndex(({ name }) => name === 'hits.undecided');
    for (const given of fc.sample(cases, 20)) {
      const facts = given.facts.with(UNDECIDED, ['MISSING', 0]);
      const bundle = bundleOf({ ...given, facts });
      const receipt = bundle.receipt.replace(/"formula":\d+/, '"formula":3');
      expect(verifyReceipt({ ...bundle, receipt, receiptHash: bundleHash(receipt) }).problems).toEqual([]);
    }
  });

  it('one that was written for another decision under its own right hash does not replay', () => {
    const [given] = fc.sample(cases, 1);
    const bundle = bundleOf({ ...given!, deciding: 0 });
    const forged = bundle.receipt.replace(/"outcome":"\w+"/, '"outcome":"REJECTED"');
    const receiptHash = bundleHash(forged);
    expect(verifyReceipt({ ...bundle, receipt: forged, receiptHash }).problems).toEqual(['REPLAY_DIFFERS']);
  });
});

const bundleHash = (text: string): string => createHash('sha256').update(text).digest('hex');
