import { describe, expect, it } from '@jest/globals';
import { readProfileRows } from './profile-file.js';

const HEADER = 'externalCustomerId;document;name;pep;monthlyIncome';
const TEXT = `${HEADER}\r\nc-1;;Antônia;VERDADEIRO;4.800,50\r\nc-2;;;Falso;\r\n`;
const ROWS = [
  { externalCustomerId: 'c-1', name: 'Antônia', pep: true, monthlyIncome: 4_800.5 },
  { externalCustomerId: 'c-2', pep: false },
];
const valuesIn = async (file: Uint8Array): Promise<unknown> => {
  const read = await readProfileRows(file);
  return 'code' in read ? read : read.map((row) => ('value' in row ? row.value : row));
};

describe('a file of profiles', () => {
  it.each([
    ['as it is', Buffer.from(TEXT)],
    ['with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['with the line of a spreadsheet that names its separator', Buffer.from(`sep=;\r\n${TEXT}`)],
    ['with a note above', Buffer.from(`Customers of the branch\r\n\r\n${TEXT}`)],
    ['with a header in another case', Buffer.from(TEXT.replace(HEADER, HEADER.toUpperCase()))],
    ['with an empty last column', Buffer.from(TEXT.replaceAll('\r\n', ';\r\n'))],
    ['with tabs', Buffer.from(TEXT.replaceAll(';', '\t'))],
    ['with commas', Buffer.from(TEXT.replace('4.800,50', '4800.50').replaceAll(';', ','))],
    ['of Windows', Buffer.from(TEXT, 'latin1')],
    ['of UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['of UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['of UTF-16 with the large byte first', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ])('says the same %s', async (_, file) => {
    expect(await valuesIn(file)).toEqual(ROWS);
  });

  it('says of which line a cell has no column, and reads the others', async () => {
    const read = await readProfileRows(Buffer.from('sep=;\nDocument;;\n1;;\n2;;x\n\n"3;;\n4;;\n'));
    expect(read).toEqual([
      { line: 3, value: { document: '1' } },
      { line: 4, path: '', code: 'TOO_MANY_CELLS', message: expect.any(String) },
      { line: 6, path: '', code: 'UNCLOSED_QUOTE', message: expect.any(String) },
      { line: 7, value: { document: '4' } },
    ]);
  });

  it.each(['document;colour\n1;red', 'document;Document\n1;2', 'name\nMaria', ''])(
    'is refused: %j',
    async (text) => {
      expect(await readProfileRows(Buffer.from(text))).toMatchObject({ code: 'COLUMNS_UNKNOWN' });
    },
  );
});
