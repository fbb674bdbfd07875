import { describe, expect, it } from '@jest/globals';
import { csvRow } from './csv.js';

describe('a CSV row', () => {
  it('quotes what would break it', () => {
    // ASVS 1.1.2
    expect(csvRow(['plain', 'a,b', 'say "x"', 'two\nlines', ''])).toBe(
      'plain,"a,b","say ""x""","two\nlines",\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=cmd|"/c calc"!A1', '\uff1d1+1'])(
    'has no cell that a spreadsheet runs: %j',
    (text) => {
      const [first = ''] = csvRow([text]).replace(/^"/, '');
      expect(first).toBe("'");
    },
  );

  it('has no semicolon at which a spreadsheet in Brazil would begin a cell', () => {
    expect(csvRow(['name;=cmd()', 'b'])).toBe('"name;=cmd()",b\r\n');
  });

  it('can have semicolons, and keeps the hyphen that stands for what is not known', () => {
    expect(csvRow(['a,b', 'c;d', '-', '-1'], ';')).toBe('a,b;"c;d";-;\'-1\r\n');
  });
});
