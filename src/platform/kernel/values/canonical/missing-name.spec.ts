import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRealName } from './missing-name.js';

describe('isName', () => {
  it.each([
    ...[
      '',
      ' ',
      '.',
      '-',
      '--',
      '?',
      '***',
      '0',
      '12345',
      '\u200b',
      '\u200b\u2060 \ufeff',
      '\u3164',
      '\u00ad',
      '🙂',
    ],
    ...[
      'N/A',
      'n.a.',
      'NA',
      'N/D',
      'NAO INFORMADO',
      'NÃO INFORMADO',
      'Não-Informada',
      'DESCONHECIDO',
      'SEM NOME',
    ],
    ...[
      'UNKNOWN',
      'None',
      'NULL',
      'null null',
      'undefined undefined',
      'N/A N/A',
      'Not Provided',
      'no name',
      'TBD',
    ],
    ...[
      'No informado',
      'DESCONOCIDO',
      'sin nombre',
      'Nome não informado',
      'UNKNOWN RECIPIENT',
      'Beneficiário',
    ],
    ...['S/N', 's. n.', 'N/I', 'n/c', 'aaaa', 'Teste', 'Fulano de Tal', 'JOHN DOE'],
    ...['x', 'XXX', 'xx xx', 'N\u200b/\u200bA', 'ＮＵＬＬ', '(não informado)', '"NULL"', 'NAO_INFORMADO'],
  ])('%j names nobody', (text) => {
    expect(isRealName(text)).toBe(false);
  });

  it.each([
    ...[
      'Na Hye-sok',
      'Na Na',
      'Nil Armstrong',
      'Jennifer Null',
      'Anna None',
      'Maria Desconhecido',
      'Sem Nome Filho',
    ],
    ...[
      'N. D. Silva',
      'Li',
      'O',
      '나',
      '娜',
      'Нил',
      'علي',
      'María',
      'X Corp',
      'Alexx',
      'Cliente Na',
      'Nara',
      'Anônimos SA',
    ],
    ...['3M', 'Banco 24', 'Ignorado Silva', 'Ni Hao', 'Li Sn', 'Testera', 'Aaron', 'Aa', 'John Doering'],
  ])('%j names somebody', (text) => {
    expect(isRealName(text)).toBe(true);
  });

  it('knows what is missing whatever nobody sees of it', () => {
    const dust = fc.string({
      unit: fc.constantFrom(' ', '\t', '\u200b', '\u2060', '\u00a0', '.', '-'),
      maxLength: 3,
    });
    const missing = fc.constantFrom('N/A', 'nao informado', 'Unknown', 'NULL', '');
    fc.assert(
      fc.property(dust, missing, dust, (before, word, after) => {
        expect(isRealName(before + word + after)).toBe(false);
        expect(isRealName(`${before}${word}${after} Silva`)).toBe(true);
      }),
    );
  });
});
