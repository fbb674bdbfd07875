import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskBody } from './masked-body.js';

const digit = (digits: readonly number[]): number => {
  const sum = digits.reduce((total, d, i) => total + d * (digits.length + 1 - i), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
};
const cpf = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 9, maxLength: 9 }).chain((base) => {
  const first = digit(base);
  const text = [...base, first, digit([...base, first])].join('');
  return new Set(text).size === 1 ? fc.constant('52998224725') : fc.constant(text);
});
const written = cpf.chain((text) =>
  fc.constantFrom(text, `${text.slice(0, 3)}.${text.slice(3, 6)}.${text.slice(6, 9)}-${text.slice(9)}`),
);

describe('A submitted body as operators see it', () => {
  it('holds no full CPF, wherever and however it was written', () => {
    fc.assert(
      fc.property(written, fc.constantFrom('', ' ', 'CPF: ', '(', '['), (document, before) => {
        const body = {
          cpfCnpj: document,
          origin: { name: `Maria ${before}${document}` },
          metadata: { note: [`${before}${document},`, { [document]: Number(document.replace(/\D/g, '')) }] },
        };
        const shown = JSON.stringify(maskBody(body));
        expect(shown).not.toContain(document);
        expect(shown).not.toContain(document.replace(/\D/g, ''));
      }),
    );
  });

  it('holds no full CNPJ, alphanumeric ones included', () => {
    const body = {
      a: '12.ABC.345/01DE-35',
      b: '12ABC34501DE35',
      c: 'pay 11.222.333/0001-81 now',
      d: 11222333000181,
    };
    expect(maskBody(body)).toEqual({
      a: '**.ABC.345/****-**',
      b: '**.ABC.345/****-**',
      c: 'pay **.222.333/****-** now',
      d: '**.222.333/****-**',
    });
  });

  it('leaves everything else as it was sent', () => {
    const body = {
      transactionId: 'pix-1',
      amount: 1250.75,
      occurredAt: '2026-11-20T12:00:00-03:00',
      origin: { accountReference: '0001/12345-6', country: 'BR' },
      metadata: { ok: true, nothing: null, endToEndId: 'E1234567820261120120012345678901' },
    };
    expect(maskBody(body)).toEqual(body);
  });
});
