import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountProblem, parseAmount } from './money.js';
import { countryCodes } from '../reference/countries.js';
import { currencyCodes, minorUnitOf } from '../reference/currencies.js';

const refused = (code: string): object => ({ ok: false, code });

describe('parseAmount', () => {
  it.each([
    [0.01, 'BRL', '0.01'],
    [120.5, 'BRL', '120.5'],
    [1e3, 'BRL', '1000'],
    [999_999_999_999.99, 'BRL', '999999999999.99'],
    [1000, 'JPY', '1000'],
    [1.234, 'KWD', '1.234'],
    [1.2345, 'CLF', '1.2345'],
    ['120.50', 'BRL', '120.5'],
    ['0.10', 'BRL', '0.1'],
    ['007', 'BRL', '7'],
    ['999999999999.990', 'BRL', '999999999999.99'],
    ['5.000', 'JPY', '5'],
  ])('keeps %p %s as %s', (value, currency, decimal) => {
    expect(parseAmount(value, currency)).toEqual({ ok: true, decimal });
  });

  it.each([
    [0, 'BRL', 'AMOUNT_NOT_POSITIVE'],
    [-0, 'BRL', 'AMOUNT_NOT_POSITIVE'],
    [-1, 'BRL', 'AMOUNT_NOT_POSITIVE'],
    ['-1', 'BRL', 'AMOUNT_NOT_POSITIVE'],
    ['0.00', 'BRL', 'AMOUNT_NOT_POSITIVE'],
    [1e12, 'BRL', 'AMOUNT_TOO_LARGE'],
    [999_999_999_999.9902, 'BRL', 'AMOUNT_TOO_LARGE'],
    ['999999999999.991', 'KWD', 'AMOUNT_TOO_LARGE'],
    [1e21, 'BRL', 'AMOUNT_TOO_LARGE'],
    [Number.MAX_VALUE, 'BRL', 'AMOUNT_TOO_LARGE'],
    [0.001, 'BRL', 'AMOUNT_TOO_PRECISE'],
    [0.1 + 0.2, 'BRL', 'AMOUNT_TOO_PRECISE'],
    [1e-7, 'CLF', 'AMOUNT_TOO_PRECISE'],
    [5e-324, 'BRL', 'AMOUNT_TOO_PRECISE'],
    [0.5, 'JPY', 'AMOUNT_TOO_PRECISE'],
    ['0.001', 'BRL', 'AMOUNT_TOO_PRECISE'],
    [NaN, 'BRL', 'AMOUNT_INVALID'],
    [Infinity, 'BRL', 'AMOUNT_INVALID'],
    ['1e3', 'BRL', 'AMOUNT_INVALID'],
    ['1,50', 'BRL', 'AMOUNT_INVALID'],
    ['', 'BRL', 'AMOUNT_INVALID'],
    [1, 'ZZZ', 'CURRENCY_UNKNOWN'],
    [1, 'brl', 'CURRENCY_UNKNOWN'],
  ])('refuses %p %s with %s', (value, currency, code) => {
    expect(parseAmount(value, currency)).toEqual(refused(code));
  });

  it('keeps every amount of whole minor units exactly, as number and as text', () => {
    const currencies = fc.constantFrom('JPY', 'BRL', 'KWD', 'CLF');
    fc.assert(
      fc.property(currencies, fc.bigInt(1n, 99_999_999_999_999n), (currency, units) => {
        const decimals = minorUnitOf(currency) ?? 0;
        const digits = units.toString().padStart(decimals + 1, '0');
        const [whole, part] = [
          digits.slice(0, digits.length - decimals),
          digits.slice(digits.length - decimals),
        ];
        const fraction = part.replace(/0+$/, '');
        const decimal = fraction === '' ? whole : `${whole}.${fraction}`;
        fc.pre(whole.length <= 12);
        expect(parseAmount(Number(decimal), currency)).toEqual({ ok: true, decimal });
        expect(parseAmount(decimal, currency)).toEqual({ ok: true, decimal });
      }),
    );
  });

  it('allows what some currency allows while the currency is not known', () => {
    expect([0.1234, 0.12345, -1].map((value) => amountProblem(value))).toEqual([
      null,
      'AMOUNT_TOO_PRECISE',
      'AMOUNT_NOT_POSITIVE',
    ]);
  });
});

describe('reference data', () => {
  it('holds the ISO 4217 codes in use that have a minor unit', () => {
    expect(currencyCodes).toHaveLength(165);
    expect(['BRL', 'JPY', 'TND', 'UYW', 'XCG', 'ZWG', 'XAD', 'VED'].map(minorUnitOf)).toEqual([
      2, 0, 3, 4, 2, 2, 2, 2,
    ]);
    expect(['HRK', 'BGN', 'ANG', 'ZWL', 'CUC', 'XXX', 'XAU', 'toString'].map(minorUnitOf)).toEqual(
      Array(8).fill(undefined),
    );
  });

  it('holds the 249 countries of ISO 3166-1', () => {
    expect(countryCodes.size).toBe(249);
    expect(['BR', 'SS', 'AX', 'GB'].every((code) => countryCodes.has(code))).toBe(true);
    expect(['XK', 'UK', 'AN', 'br', 'EU'].some((code) => countryCodes.has(code))).toBe(false);
  });
});
