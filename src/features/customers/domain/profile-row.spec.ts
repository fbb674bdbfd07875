import { describe, expect, it } from '@jest/globals';
import { validateRow } from './profile-row.js';

describe('A row of profiles', () => {
  it.each([
    ['name', 'N/A'],
    ['name', 'Não informado'],
    ['name', '.'],
    ['externalCustomerId', 'null'],
    ['externalCustomerId', '\u200b\u200b'],
  ])('whose %s is %j is refused: it says that there is none', (path, value) => {
    expect(validateRow(3, { document: '52998224725', [path]: value }, '2026-11-20')).toEqual({
      problems: [{ line: 3, path, code: 'VALUE_NOT_ALLOWED', message: 'Leave out what is not known.' }],
    });
  });

  it('may name somebody by a word that stands for none elsewhere', () => {
    const judged = validateRow(1, { document: '52998224725', name: 'Jennifer Null' }, '2026-11-20');
    expect(judged).toMatchObject({ row: { name: 'Jennifer Null' } });
  });
});
