import { describe, expect, it } from '@jest/globals';
import { composeNarrative, type NarrativeFacts } from './narrative.js';

const day = { year: 2026, month: 11, day: 30 } as const;

/** The first sentence of a narrative about these movements. */
const told = (movements: NarrativeFacts['movements'], senders = 1, beneficiaries = 1): string =>
  composeNarrative({
    ...{ holder: 'Titular', from: day, to: day, movements, senders, beneficiaries },
    ...{ justification: null, reasons: [] },
  });

describe('The movements in a narrative', () => {
  it.each<[NarrativeFacts['movements'], string]>([
    [[{ direction: 'IN', amount: '5000' }], '1 crédito de R$ 5.000,00, de 1 remetente'],
    [
      [
        { direction: 'OUT', amount: '10.5' },
        { direction: 'OUT', amount: '20' },
      ],
      '2 débitos no total de R$ 30,50, a 1 beneficiário',
    ],
    [
      [
        { direction: 'OUT', amount: '10' },
        { direction: 'OUT', amount: null },
      ],
      '1 débito de R$ 10,00, além de 1 débito sem conversão em reais, a 1 beneficiário',
    ],
    [[{ direction: 'IN', amount: null }], '1 crédito sem conversão em reais, de 1 remetente'],
    [[{ direction: null, amount: '7' }], '1 operação'],
  ])('%j', (movements, said) => {
    expect(told(movements)).toBe(`Em 30/11/2026, Titular movimentou ${said}.`);
  });

  it('leave out whoever is not known', () => {
    expect(told([{ direction: 'IN', amount: '5000' }], 0)).toBe(
      'Em 30/11/2026, Titular movimentou 1 crédito de R$ 5.000,00.',
    );
  });
});
