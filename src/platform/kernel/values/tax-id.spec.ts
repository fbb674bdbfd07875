import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { TaxId } from './tax-id.js';

const parsed = (text: string): TaxId => {
  const result = TaxId.parse(text);
  if (!result.ok) throw new Error('expected a tax id');
  return result.id;
};

/** The textbook algorithm, written on its own so that it can disagree. */
const withCheckDigits = (base: string, firstWeights: readonly number[]): string => {
  const digit = (text: string, weights: readonly number[]): number => {
    const sum = weights.reduce((total, weight, i) => total + weight * (text.charCodeAt(i) - 48), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = digit(base, firstWeights);
  const secondWeights = base.length === 9 ? [11, ...firstWeights] : [6, ...firstWeights];
  return `${base}${first}${digit(`${base}${first}`, secondWeights)}`;
};
const CPF = [10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const text = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength: length, maxLength: length })
    .map((chars) => chars.join(''));
const cpf = text('0123456789', 9)
  .filter((base) => new Set(base).size > 1)
  .map((base) => withCheckDigits(base, CPF));
const cnpj = text('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 12).map((base) => withCheckDigits(base, CNPJ));

describe('TaxId', () => {
  it.each([
    ['529.982.247-25', 'CPF', '52998224725'],
    ['52998224725', 'CPF', '52998224725'],
    ['111.444.777-35', 'CPF', '11144477735'],
    ['16.727.230/0001-97', 'CNPJ', '16727230000197'],
    ['00.000.000/0001-91', 'CNPJ', '00000000000191'],
    ['11.222.333/0001-81', 'CNPJ', '11222333000181'],
    ['12ABC34501DE35', 'CNPJ', '12ABC34501DE35'],
    ['12.abc.345/01de-35', 'CNPJ', '12ABC34501DE35'],
  ])('reads %s as a full %s', (written, kind, canonical) => {
    const id = parsed(written);
    expect([id.kind, id.isMasked, id.canonical()]).toEqual([kind, false, canonical]);
  });

  it.each([
    ['***.456.789-**', 'CPF', '***456789**', '***.456.789-**'],
    ['***456789**', 'CPF', '***456789**', '***.456.789-**'],
    ['123.***.***-09', 'CPF', '123******09', '***.***.***-**'],
    ['***.***.***-09', 'CPF', '*********09', '***.***.***-**'],
    ['***.456.789-09', 'CPF', '***45678909', '***.456.789-**'],
    ['12.***.***/0001-**', 'CNPJ', '12******0001**', '**.***.***/****-**'],
    ['**.ABC.345/01DE-**', 'CNPJ', '**ABC34501DE**', '**.ABC.345/****-**'],
  ])('reads %s as a masked %s', (written, kind, canonical, shown) => {
    const id = parsed(written);
    expect([id.kind, id.isMasked, id.canonical(), id.maskedText]).toEqual([kind, true, canonical, shown]);
  });

  it.each([
    ['a wrong check digit', '529.982.247-26'],
    ['a wrong first check digit', '529.982.247-15'],
    ['eleven equal digits', '111.111.111-11'],
    ['a CNPJ of zeros', '00.000.000/0000-00'],
    ['a wrong alphanumeric CNPJ', '12ABC34501DE36'],
    ['letters for check digits', '12ABC34501DEAB'],
    ['a letter in a CPF', '5299822472A'],
    ['ten digits', '5299822472'],
    ['twelve digits', '529982247250'],
    ['fifteen characters', '112223330001811'],
    ['nothing', ''],
    ['nothing visible', '***.***.***-**'],
    ['almost nothing hidden', '**345678909'],
    ['other punctuation', '529_982_247_25'],
    ['other digits', '５２９９８２２４７２５'],
    ['endless spaces', `52998224725${' '.repeat(40)}`],
  ])('refuses %s', (_, written) => {
    expect(TaxId.parse(written)).toEqual({ ok: false });
    expect(TaxId.accepts(written)).toBe(false);
  });

  it('accepts exactly the numbers whose check digits are right', () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj), fc.nat(99), (valid, tail) => {
        expect(parsed(valid).canonical()).toBe(valid);
        const other = valid.slice(0, -2) + String(tail).padStart(2, '0');
        expect(TaxId.accepts(other)).toBe(other === valid);
      }),
    );
  });

  it('finds itself again in its canonical form', () => {
    fc.assert(
      fc.property(fc.oneof(cpf, cnpj, fc.constant('***456789**')), (valid) => {
        expect(parsed(parsed(valid).canonical()).equals(parsed(valid))).toBe(true);
      }),
    );
  });

  it('shows its mask however it is printed', () => {
    const id = parsed('529.982.247-25');
    const mask = '***.982.247-**';
    expect(String(id)).toBe(mask);
    expect(JSON.stringify({ id })).toBe(`{"id":"${mask}"}`);
    expect(inspect({ id })).toContain(mask);
    for (const leak of [
      inspect(id, { showHidden: true, depth: 9 }),
      JSON.stringify(Object.entries(id)),
      inspect(Object.values(id)),
    ]) {
      expect(leak).not.toContain('529');
    }
  });
});
