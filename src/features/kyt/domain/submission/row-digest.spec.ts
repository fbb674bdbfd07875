import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { sha256 } from '../../../../platform/kernel/values/digest.js';
import {
  digestOfEvaluationRow,
  digestOfTransactionRow,
  type EvaluationRow,
  type TransactionRow,
} from './row-digest.js';

const text = fc.string({ unit: 'grapheme' });
const key = fc.option(fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)));
const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });

/** The digest as the documents describe it, without regard to what it costs. */
const described = (row: object): string => {
  const shown = Object.entries(row).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString('hex') : (value as unknown),
  ]);
  return sha256(canonicalJson(Object.fromEntries(shown))).toString('hex');
};

describe('the digest of a row', () => {
  it('of a transaction is that of its canonical JSON, whatever is absent', () => {
    const rows = fc.record<TransactionRow>(
      {
        ...{ organisationId: text, clientAppId: text, channel: text, cash: fc.boolean() },
        ...{ direction: fc.option(text), directionSource: text, receivedAt: date },
        ...{ documentKey: key, customerKey: key, externalKey: key, accountKey: key, deviceKey: key },
        ...{ ipKey: key, counterpartyKey: key, cardKey: key, originCountry: text, destinationCountry: text },
        ...{ sealedBody: fc.uint8Array().map((bytes) => Buffer.from(bytes)), warnings: fc.array(text) },
        ...{ requestId: text, correlationId: text, traceparent: fc.option(text) },
      },
      { noNullPrototype: true },
    );
    const cut = fc.tuple(rows, fc.boolean()).map(([row, isOld]) => {
      const old: Partial<TransactionRow> = { ...row };
      for (const name of isOld ? (['cardKey', 'originCountry', 'destinationCountry'] as const) : []) {
        // oxlint-disable-next-line typescript/no-dynamic-delete -- a copy
        delete old[name];
      }
      return old as TransactionRow;
    });
    fc.assert(fc.property(cut, (row) => digestOfTransactionRow(row) === described(row)));
  });

  it('of an evaluation is that of its canonical JSON', () => {
    const rows = fc.record<EvaluationRow>({
      ...{ organisationId: text, recommendedAction: text, riskLevel: fc.option(text) },
      ...{ rulesetId: fc.option(text), evaluatedAt: date, facts: key, brief: fc.option(text) },
    });
    fc.assert(fc.property(rows, (row) => digestOfEvaluationRow(row) === described(row)));
  });

  it('of two rows that differ in one column differs', () => {
    const row: EvaluationRow = {
      ...{ organisationId: 'a', recommendedAction: 'NONE', riskLevel: null, rulesetId: null },
      ...{ evaluatedAt: new Date(0), facts: null, brief: null },
    };
    const digests = [row, { ...row, brief: 'x' }, { ...row, facts: Buffer.alloc(1) }].map(
      digestOfEvaluationRow,
    );
    expect(new Set(digests).size).toBe(3);
  });
});
