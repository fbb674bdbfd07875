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

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'has no member %s, which every object inherits',
    (path) => {
      const row = JSON.parse(`{ "document": "52998224725", ${JSON.stringify(path)}: 1 }`) as object;
      expect(validateRow(1, row, '2026-11-20')).toEqual({
        problems: [{ line: 1, path: '?', code: 'UNKNOWN_FIELD', message: 'There is no such field.' }],
      });
    },
  );
});
