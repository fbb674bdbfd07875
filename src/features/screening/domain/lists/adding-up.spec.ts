import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ListEntry } from './list-entry.js';
import { listFormats, readEntries, type ListFormat } from './list-formats.js';
import type { ListFiles } from './list-values.js';
import type { BrokenLine, DroppedField } from '../../../../platform/kernel/csv/csv-table.js';
import { runsInPart } from '../../../../../test/support/needs.js';

interface Sum {
  readonly entries: ListEntry[];
  readonly broken: BrokenLine[];
  readonly dropped: DroppedField[];
  merged: number;
}

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function sumOf(format: ListFormat, files: ListFiles): Promise<Sum> {
  const sum: Sum = { entries: [], broken: [], dropped: [], merged: 0 };
  for await (const read of readEntries(format, files)) {
    if ('problem' in read) sum.broken.push(read);
    else if ('merged' in read) sum.merged += read.merged;
    else {
      sum.entries.push(read.value);
      sum.dropped.push(...read.dropped);
    }
  }
  return sum;
}

/** How lines of a format are written. */
interface Writer {
  readonly line: (key: number, name: string) => string;
  /** Lines that are none of the format, each in its own way. */
  readonly broken: readonly string[];
  readonly file: (lines: readonly string[]) => string;
}

const below =
  (header: string) =>
  (lines: readonly string[]): string =>
    [header, ...lines, ''].join('\n');

const json = (line: Writer['line'], nameless: string): Writer => ({
  line,
  broken: [
    nameless,
    '"a text"',
    '{"key": "torn", "name": ',
    '{"key": "torn", "aliases": ["a"',
    '{"key": "torn", "name": "open}',
    '{"key": "torn", "name": nobody}',
  ],
  file: (lines) => `[\n${lines.join(',\n')}\n]\n`,
});

const house = json(
  (key, name) => JSON.stringify({ key: `k${key}`, name, remarks: 'a, {b}; "c"' }),
  '{"name":"Sem Chave"}',
);

const writers: Readonly<Record<ListFormat | 'JSON lines', Writer>> = {
  HOUSE_CSV: {
    line: (key, name) => `k${key};"${name}";PERSON;;a, b, c, d`,
    broken: [';Sem Chave;PERSON;;', 'k', 'k;"Aberto;PERSON;;', 'k;;PERSON;;', 'k;X;PERSON;123;', 'k;N/A;;;'],
    file: below('key;name;kind;document;remarks, many, of, them'),
  },
  HOUSE_JSON: house,
  'JSON lines': { ...house, file: (lines) => `${lines.join('\n')}\n` },
  CGU_PEP_CSV: {
    line: (key, name) => `***.${100 + key}.222-**;${name};VER;VEREADOR;;MUN. DE EXEMPLO;01/01/2021;;`,
    broken: [
      '12345;SEM MASCARA;;;;;;;',
      '***.111.222-**;;;;;;;;',
      'one column',
      '***.111.222-**;"Aberto;;;;;;;',
    ],
    file: below(
      'CPF;Nome_PEP;Sigla_Função;Descrição_Função;Nível_Função;Nome_Órgão;Data_Início_Exercício;Data_Fim_Exercício;Data_Fim_Carência',
    ),
  },
  CEIS_CNEP_CSV: {
    line: (key, name) => `CEIS;${key};J;11222333000181;${name};01/02/2024`,
    broken: ['CEIS;1;J;123;Sem Documento;', 'CEIS;1;J;11222333000181;;', 'CEIS'],
    file: below(
      'CADASTRO;CÓDIGO DA SANÇÃO;TIPO DE PESSOA;CPF OU CNPJ DO SANCIONADO;NOME DO SANCIONADO;DATA INÍCIO SANÇÃO',
    ),
  },
  OFAC_SDN_CSV: {
    line: (key, name) => `${key},"${name}","individual","X",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- `,
    broken: ['a line that is broken', 'x,"Sem Numero","individual","X"', '1,"Aberto', '1,-0- ,-0- ,-0- '],
    file: (lines) => [...lines, '\u001a'].join('\r\n'),
  },
  UN_XML: {
    line: (key, name) =>
      `<INDIVIDUAL><REFERENCE_NUMBER>R${key}</REFERENCE_NUMBER><FIRST_NAME>${name}</FIRST_NAME></INDIVIDUAL>`,
    broken: [
      '<INDIVIDUAL><FIRST_NAME>Sem Numero</FIRST_NAME></INDIVIDUAL>',
      '<INDIVIDUAL><REFERENCE_NUMBER>R</REFERENCE_NUMBER><FIRST_NAME>Sem Fim</FIRST_NAME>',
      '<ENTITY><X></ENTITY>',
    ],
    file: (lines) => `<L>\n${lines.join('\n')}\n</L>\n`,
  },
  EU_CSV: {
    line: (key, name) => `${key};person;${name};`,
    broken: [';person;Sem Numero;', 'x', '9999;person;;'],
    file: below('Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName;BirthDate_BirthDate'),
  },
  UK_SANCTIONS_CSV: {
    line: (key, name) => `${name},Ali,,,Individual,Test,${key}`,
    broken: ['X,Y,,,Individual,Test,', 'x', ',,,,Individual,Test,9999'],
    file: below(
      'Report Date: 18-Aug-2026\nName 6,Name 1,Name 2,D.O.B,Designation Type,Regime Name,Unique ID',
    ),
  },
  UK_OFSI_CSV: {
    line: (key, name) => `${name},Ali,,,Individual,Test,${key}`,
    broken: ['X,Y,,,Individual,Test,', 'x', ',,,,Individual,Test,9999'],
    file: below('Last Updated,20/11/2026\nName 6,Name 1,Name 2,DOB,Group Type,Regime,Group ID'),
  },
  INTERPOL_JSON: json(
    (key, name) => JSON.stringify({ entity_id: `2020/${key}`, name }),
    '{"entity_id":"2020/1"}',
  ),
  OPENSANCTIONS_CSV: {
    line: (key, name) => `NK-${key},Person,${name},"Um;Outro",,br`,
    broken: [',Person,Sem Id,,,', 'x', 'NK,Person,,,,'],
    file: below('id,schema,name,aliases,birth_date,countries'),
  },
};

const names = ['ABILIO', 'BRENO', 'CICERO', 'DARIO'].flatMap((given) =>
  ['FICTICIO', 'IMAGINARIO', 'INVENTADO'].map((family) => `${given} ${family}`),
);
const record = fc.oneof(
  { weight: 3, arbitrary: fc.record({ key: fc.nat(5), name: fc.constantFrom(...names) }) },
  { weight: 1, arbitrary: fc.record({ broken: fc.nat(9) }) },
);

describe('Every importer', () => {
  it('is here', () => {
    expect(Object.keys(writers).filter((name) => name !== 'JSON lines')).toEqual(
      expect.arrayContaining(listFormats),
    );
  });

  it.each(Object.entries(writers))(
    '%s: each line is an entry, merged with one, or broken, and nobody is lost',
    async (format, { line, broken, file }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { maxLength: 14 }),
          fc.integer({ min: 1, max: 300 }),
          async (some, size) => {
            const records = [{ key: 6, name: 'ZENO PRIMEIRO' }, ...some];
            const lines = records.map((one) =>
              'broken' in one ? broken[one.broken % broken.length]! : line(one.key, one.name),
            );
            const main = pieces(file(lines), size);
            const sum = await sumOf(format === 'JSON lines' ? 'HOUSE_JSON' : (format as ListFormat), {
              main,
            });
            expect(sum.entries.length + sum.merged + sum.broken.length).toBe(lines.length);
            expect(sum.broken).toHaveLength(records.filter((one) => 'broken' in one).length);
            const keys = sum.entries.map(({ key }) => key);
            expect(new Set(keys).size).toBe(keys.length);
            const read = sum.entries.flatMap((entry) => entry.names).join();
            for (const one of records) if ('name' in one) expect(read).toContain(one.name);
          },
        ),
        { numRuns: runsInPart(500) },
      );
    },
  );

  it('OFAC: an alias is merged with its entry, or is reported where there is none', async () => {
    const { line, file } = writers.OFAC_SDN_CSV;
    const sum = await sumOf('OFAC_SDN_CSV', {
      main: pieces(file([line(1, 'UM'), line(1, 'OUTRO'), line(2, 'DOIS')]), 11),
      aliases: pieces('1,1,"aka","PRIMEIRO",-0- \n7,2,"aka","NINGUEM",-0- \n1,3,"aka","N/A",-0- \nx\n', 11),
    });
    expect(sum.entries.map(({ key, names: own }) => [key, own])).toEqual([
      ['1', ['UM', 'PRIMEIRO']],
      ['1#2', ['OUTRO', 'PRIMEIRO']],
      ['2', ['DOIS']],
    ]);
    expect(sum.merged).toBe(2);
    expect(sum.broken.map(({ line: at, problem }) => `${at} ${problem}`)).toEqual([
      '4 ALIAS_UNREADABLE',
      '2 ALIAS_OF_NO_ENTRY',
    ]);
  });
});
