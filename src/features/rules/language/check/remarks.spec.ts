import { describe, expect, it } from '@jest/globals';
import { brStarter } from '../../data/br-starter/index.js';
import { typologies } from '../../../../../tools/documents/typologies/index.js';
import { featureSchema } from '../schema.js';
import { check } from './check.js';
import { warningOnPattern, warningsFor } from './remarks.js';
import type { Parameters } from './types.js';

const HOUR = 'occurredAt.localHour("America/Sao_Paulo")';

function remarked(text: string, parameters: Parameters = {}): string[] {
  const context = { schema: featureSchema, parameters };
  const found = check(text, context);
  if (!found.ok) throw new Error(JSON.stringify(found.diagnostics));
  return warningsFor(found.ast, context).map(({ code, span, hints: { suggestion } }) =>
    [code, text.slice(span.start, span.end), ...(suggestion === undefined ? [] : [suggestion])].join(' | '),
  );
}

describe('Remarks on a condition', () => {
  it.each([
    [`destination.name.contains("")`, 'ALWAYS_TRUE | destination.name.contains("")'],
    [`channel.startsWith("") && amount > 5`, 'ALWAYS_TRUE | channel.startsWith("")'],
    [`!channel.endsWith("")`, 'ALWAYS_TRUE | channel.endsWith("")'],
    [`currency == "REAL"`, 'UNKNOWN_VALUE | "REAL"'],
    [`currency == "brl"`, 'UNKNOWN_VALUE | "brl" | BRL'],
    [`"R$" == currency`, 'UNKNOWN_VALUE | "R$"'],
    [`currency in ["BRL", "EURO"]`, 'UNKNOWN_VALUE | "EURO" | EUR'],
    [`currency != "REAL"`, 'UNKNOWN_VALUE | "REAL"'],
    [`destination.country == "Brasil"`, 'UNKNOWN_VALUE | "Brasil" | BR'],
    [`countries.exists(c, c == "IRN")`, 'UNKNOWN_VALUE | "IRN" | IR'],
    [`direction == "out"`, 'UNKNOWN_VALUE | "out" | OUT'],
    [`type == "PIX_TRANFER"`, 'UNKNOWN_VALUE | "PIX_TRANFER" | PIX_TRANSFER'],
    [`customer.document == "529.982.247-25"`, 'UNKNOWN_VALUE | "529.982.247-25" | 52998224725'],
    [`profile.riskLevel in ["HIGH", "CRITICAL"]`, 'UNKNOWN_VALUE | "CRITICAL"'],
    [`${HOUR} > 24`, `NEVER_TRUE | ${HOUR} > 24`],
    [`24 <= ${HOUR}`, `NEVER_TRUE | 24 <= ${HOUR}`],
    [`${HOUR} > 23`, `NEVER_TRUE | ${HOUR} > 23`],
    [`${HOUR} <= 23`, `ALWAYS_TRUE | ${HOUR} <= 23`],
    [`occurredAt.localWeekday("UTC") == 0`, 'NEVER_TRUE | occurredAt.localWeekday("UTC") == 0'],
    [`${HOUR} >= 22 && ${HOUR} < 6`, `NEVER_TRUE | ${HOUR} >= 22 && ${HOUR} < 6`],
    [`amount > 100 && amount <= 100`, 'NEVER_TRUE | amount > 100 && amount <= 100'],
    [`currency == "BRL" && currency == "USD"`, 'NEVER_TRUE | currency == "BRL" && currency == "USD"'],
    [
      `type in ["PIX_TRANSFER"] && type == "TED_TRANSFER"`,
      'NEVER_TRUE | type in ["PIX_TRANSFER"] && type == "TED_TRANSFER"',
    ],
    [`amountBrl < 0`, 'NEVER_TRUE | amountBrl < 0'],
    [`outgoing.count24h >= 0`, 'ALWAYS_TRUE | outgoing.count24h >= 0'],
    [`sanctions.nameScore > 100`, 'NEVER_TRUE | sanctions.nameScore > 100'],
    [`-amount > 1`, 'NEVER_TRUE | -amount > 1'],
    [`countries.size() > 500`, 'NEVER_TRUE | countries.size() > 500'],
    [`amount == amount`, 'ALWAYS_TRUE | amount == amount'],
    [`1 > 2 || amount > 5`, 'NEVER_TRUE | 1 > 2'],
    [`amount > 5 || true`, 'ALWAYS_TRUE | true'],
    [`amount > 5 ? ${HOUR} > 30 : sameHolder`, `NEVER_TRUE | ${HOUR} > 30`],
    [`amount > 5 && !list('own').has(ip.address)`, `LIST_CLEARS | list('own').has(ip.address)`],
    [`!(amount > 5 || list('own').has(ip.address))`, `LIST_CLEARS | list('own').has(ip.address)`],
    [`list('own').has(ip.address) == false`, `LIST_CLEARS | list('own').has(ip.address)`],
    [`true != list('own').has(ip.address)`, `LIST_CLEARS | list('own').has(ip.address)`],
    [`countries.all(c, amount > 5 || !list('own').has(c))`, `LIST_CLEARS | list('own').has(c)`],
  ])('%s', (text, expected) => {
    expect(remarked(text)).toEqual([expected]);
  });

  it('says of a list that clears what it says beside it of the rest', () => {
    const text = `amount > 100 && amount < 50 && !list('own').has(ip.address)`;
    expect(remarked(text)).toEqual([`LIST_CLEARS | list('own').has(ip.address)`, `NEVER_TRUE | ${text}`]);
  });

  it('reads parameters', () => {
    expect(remarked('currency in param.of', { of: ['BRL', 'REAIS'] })).toEqual(['UNKNOWN_VALUE | param.of']);
    expect(remarked(`${HOUR} >= param.from`, { from: 25 })).toEqual([`NEVER_TRUE | ${HOUR} >= param.from`]);
  });

  it.each([
    'destination.name.contains("x")',
    'currency == "BRL" && amount > 100 && amount <= 200',
    'currency == "BRL" || currency == "USD"',
    `${HOUR} >= 22 || ${HOUR} < 6`,
    'amount - incoming.sum24h < 0',
    'profile.relationshipDays < 0',
    'amount > 0',
    'sameHolder == true',
    'channel == "WHATEVER" && origin.name == "Maria"',
    'amount >= 10 && amount <= 10',
    'countries.exists(c, c == "IR") && outgoing.sum24h / amount > 3',
    `list('own').has(ip.address)`,
    `!(!list('own').has(ip.address))`,
    `!(list('own').has(ip.address) == false)`,
  ])('has none on %s', (text) => {
    expect(remarked(text)).toEqual([]);
  });

  it('has none on rules that ship, but for networks that many share', () => {
    const rules = [...brStarter.rules, ...typologies];
    for (const { when, parameters, aggregates, ...rule } of rules) {
      if (aggregates !== undefined || 'customFields' in rule) continue;
      const values = Object.entries(parameters).map(([name, { value }]) => [name, value] as const);
      const shared =
        rule.key === 'BR-NET-23' ? [`LIST_CLEARS | list('shared-networks').has(ip.address)`] : [];
      expect([rule.key, remarked(when, Object.fromEntries(values))]).toEqual([rule.key, shared]);
    }
  });

  it('names a pattern that no known code fits', () => {
    expect(warningOnPattern('PIX_*', ['PIX_TRANSFER'])).toBeNull();
    expect(warningOnPattern('REAL', ['BRL'])).toMatchObject({ code: 'UNKNOWN_VALUE' });
  });
});
