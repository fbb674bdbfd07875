import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dateOfFile } from './file-date.js';
import type { ListEntry, ListKind } from './list-entry.js';
import { FormatMismatchError } from '../../../../platform/kernel/csv/csv-table.js';
import { readEntries, type ListFormat } from './list-formats.js';
import { readBirth } from './list-values.js';
import {
  defaultThresholds,
  isRareName,
  qualifiersOf,
  qualifyMatch,
  type QualifiedMatch,
  type SubjectFacts,
} from '../qualify.js';
import { readCsvRecords, type ReadRecord } from '../../../../platform/kernel/csv/csv-table.js';
import { decodeText } from '../../../../platform/kernel/csv/decode-text.js';

/** Cuts the bytes into pieces, as a network would. */
async function* pieces(content: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(
  records: AsyncIterable<ReadRecord<T> | { readonly merged: number }>,
): Promise<{ values: T[]; problems: string[]; merged: number; dropped: string[] }> {
  const values: T[] = [];
  const problems: string[] = [];
  const dropped: string[] = [];
  let merged = 0;
  for await (const read of records) {
    if ('problem' in read) problems.push(`${read.line} ${read.problem}`);
    else if ('merged' in read) merged += read.merged;
    else {
      values.push(read.value);
      dropped.push(
        ...(read.dropped ?? []).map(({ line, column, problem }) => `${line} ${column} ${problem}`),
      );
    }
  }
  return { values, problems, merged, dropped };
}

const read = (
  format: ListFormat,
  main: string | Buffer,
  aliases?: string,
): Promise<{ values: ListEntry[]; problems: string[]; merged: number; dropped: string[] }> =>
  all(
    readEntries(format, {
      main: pieces(main),
      ...(aliases === undefined ? {} : { aliases: pieces(aliases) }),
    }),
  );

describe('CSV', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'ç', '"', ';', '\n', ' ', '1'), maxLength: 6 });

  it('reads back what was written, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constant('x'), field, field), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = rows
            .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(';'))
            .join('\r\n');
          const { values, problems } = await all(readCsvRecords(decodeText(pieces(text, size)), ';'));
          expect({ values, problems }).toEqual({ values: rows, problems: [] });
        },
      ),
    );
  });

  it('passes over a record that does not end and reads the ones after it', async () => {
    const { values, problems } = await all(
      readCsvRecords(decodeText(pieces('a;b\nx;"never closed\nc;d\n')), ';'),
    );
    expect(values).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(problems).toEqual(['2 UNCLOSED_QUOTE']);
  });
});

const PEP_HEADER =
  'CPF;Nome_PEP;Sigla_Função;Descrição_Função;Nível_Função;Nome_Órgão;Data_Início_Exercício;Data_Fim_Exercício;Data_Fim_Carência';

describe('The list of politically exposed persons', () => {
  const row =
    '***.456.789-**;MARIA EXEMPLO DA CONCEIÇÃO;VER;VEREADORA;;MUN. DE EXEMPLO;01/01/2017;31/12/2020;31/12/2025';

  it('is read in ISO-8859-1, with the end of the grace period as the last day', async () => {
    const { values, problems } = await read('CGU_PEP_CSV', Buffer.from(`${PEP_HEADER}\n${row}\n`, 'latin1'));
    expect(problems).toEqual([]);
    expect(values).toEqual([
      expect.objectContaining({
        names: ['MARIA EXEMPLO DA CONCEIÇÃO'],
        maskedDocument: '456789',
        validUntil: '2025-12-31',
        kind: 'PERSON',
      }),
    ]);
  });

  it('is read with the header in other case and without accents, quoted, and in UTF-8', async () => {
    const header =
      'cpf;NOME_PEP;SIGLA_FUNCAO;DESCRICAO_FUNCAO;NIVEL_FUNCAO;NOME_ORGAO;DATA_INICIO_EXERCICIO;DATA_FIM_EXERCICIO;DATA_FIM_CARENCIA';
    const quoted = row
      .split(';')
      .map((value) => `"${value}"`)
      .join(';');
    const { values } = await read('CGU_PEP_CSV', `\ufeff${header}\r\n${quoted}\r\n`);
    expect(values[0]).toMatchObject({ names: ['MARIA EXEMPLO DA CONCEIÇÃO'], validUntil: '2025-12-31' });
  });

  it('reports what it cannot read with its line, and reads the rest', async () => {
    const broken = '12345;SEM MASCARA;;;;;;;\n***.111.222-**;;;;;;;;\nonly one column';
    const { values, problems } = await read('CGU_PEP_CSV', `${PEP_HEADER}\n${broken}\n${row}\n`);
    expect(values).toHaveLength(1);
    expect(problems).toEqual(['2 CPF_NOT_MASKED_AS_EXPECTED', '3 NAME_MISSING', '4 TOO_FEW_COLUMNS']);
  });

  it('keeps a date that is none open, and two offices of one person apart', async () => {
    const open = row.replace('31/12/2025', 'Não informada');
    const other = open.replace('MUN. DE EXEMPLO', 'MUN. DE OUTRO');
    expect(other).not.toBe(open);
    const { values, merged } = await read(
      'CGU_PEP_CSV',
      `${PEP_HEADER}\n${open}\n${other}\n${open}\n${other}\n`,
    );
    expect(merged).toBe(2);
    expect(values.map(({ validUntil }) => validUntil)).toEqual([null, null]);
    expect(new Set(values.map(({ key }) => key)).size).toBe(2);
  });

  it('is refused when it is another file', async () => {
    await expect(read('CGU_PEP_CSV', 'a;b;c\n1;2;3\n')).rejects.toBeInstanceOf(FormatMismatchError);
  });
});

describe('The lists of the barred', () => {
  const header =
    'CADASTRO;CÓDIGO DA SANÇÃO;TIPO DE PESSOA;CPF OU CNPJ DO SANCIONADO;NOME DO SANCIONADO;RAZÃO SOCIAL - CADASTRO RECEITA;NOME FANTASIA - CADASTRO RECEITA;CATEGORIA DA SANÇÃO;DATA INÍCIO SANÇÃO;DATA FINAL SANÇÃO;ÓRGÃO SANCIONADOR';

  it('give companies with their full number and persons with the visible digits', async () => {
    const { values, problems } = await read(
      'CEIS_CNEP_CSV',
      `${header}\nCEIS;1;J;11222333000181;EXEMPLO LTDA;EXEMPLO COMERCIO LTDA;LOJA EXEMPLO;Impedimento;01/02/2024;01/02/2026;Prefeitura\nCEIS;2;F;***456789**;JOSE EXEMPLO;;;Suspensão;01/02/2024;;Estado\nCEIS;3;J;11222333000182;FALSO LTDA;;;;;;\n`,
    );
    expect(values).toEqual([
      expect.objectContaining({
        kind: 'ORGANISATION',
        names: ['EXEMPLO LTDA', 'EXEMPLO COMERCIO LTDA', 'LOJA EXEMPLO'],
        values: [{ type: 'DOCUMENT', value: '11222333000181' }],
        validFrom: '2024-02-01',
        validUntil: '2026-02-01',
      }),
      expect.objectContaining({ kind: 'PERSON', maskedDocument: '456789', validUntil: null }),
    ]);
    expect(problems).toEqual(['4 DOCUMENT_INVALID']);
  });
});

describe('OFAC', () => {
  const sdn =
    '36,"AEROEXEMPLO AIRLINES",-0- ,"CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n2674,"EXEMPLO, Ali Hassan","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 12 Mar 1970; alt. DOB 1971; nationality Iran; Passport X1234 (Iran)."\nbroken\n\u001a\n';

  it('gives entries with their aliases, birth dates and nationalities', async () => {
    const { values, problems } = await read(
      'OFAC_SDN_CSV',
      sdn,
      '2674,1,"aka","ABU EXEMPLO",-0- \n2674,2,"fka","EXEMPLI, A.",-0- \n',
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: '36',
        kind: 'ORGANISATION',
        names: ['AEROEXEMPLO AIRLINES'],
        remarks: 'CUBA',
      }),
      expect.objectContaining({
        key: '2674',
        kind: 'PERSON',
        names: ['EXEMPLO, Ali Hassan', 'ABU EXEMPLO', 'EXEMPLI, A.'],
        birthDates: ['1970-03-12', '1971'],
        countries: ['IR'],
      }),
    ]);
    expect(problems).toEqual(['3 TOO_FEW_COLUMNS']);
    expect(values[1]?.values).toEqual([{ type: 'IDENTIFIER', value: 'X1234' }]);
  });

  it.each([
    ['DOB circa 1970.', ['1970', '1968', '1969', '1971', '1972']],
    ['DOB 1951 to 1953; POB Exemplo', ['1951', '1952', '1953']],
    ['DOB 01 Jan 1961 to 31 Dec 1962', ['1961', '1962']],
    ['DOB 1900 to 1990', []],
  ])('reads the years that %s may mean', async (remarks, expected) => {
    const { values } = await read(
      'OFAC_SDN_CSV',
      `1,"EXEMPLO, Ali","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"${remarks}"\n`,
    );
    expect(values[0]?.birthDates).toEqual(expected);
  });

  it('reads the other names that the remarks give, and says what it cannot read of them', async () => {
    const remarks = [
      ...[
        'DOB in the war',
        "a.k.a. 'ABU-'UMAR'",
        "f.k.a. 'O Velho'",
        'nationality Atlantis',
        'alt. nationality Iran',
      ],
      ...['DOB 1900 to 1990', "a.k.a. 'EL GORDO'."],
    ].join('; ');
    const { values, dropped } = await read(
      'OFAC_SDN_CSV',
      `1,"EXEMPLO, Ali","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"${remarks}"\n`,
    );
    expect(values).toMatchObject([
      { names: ['EXEMPLO, Ali', "ABU-'UMAR", 'O Velho', 'EL GORDO'], countries: ['IR'], birthDates: [] },
    ]);
    expect(dropped).toEqual([
      ...['1 Remarks DATE_UNREADABLE', '1 Remarks DATE_UNREADABLE', '1 Remarks COUNTRY_UNKNOWN'],
    ]);
  });

  it.each([
    ['Digital Currency Address - XBT 1Exemplo2', ['WALLET 1Exemplo2']],
    ['alt. Passport A 123456 (Iran) issued 01 Jan 2000 expires 01 Jan 2010', ['IDENTIFIER A 123456']],
    ['National ID No. 3520025509842-7 (Pakistan)', ['IDENTIFIER 3520025509842-7']],
    ['Tax ID No. 11.222.333/0001-81 (Brazil)', ['DOCUMENT 11222333000181', 'IDENTIFIER 11.222.333/0001-81']],
    ['Vessel Registration Identification IMO 9000001', ['IDENTIFIER 9000001']],
    ['D.N.I. 99999999 (Argentina)', ['IDENTIFIER 99999999']],
    ['C.U.I.T. 30999999999 (Argentina)', ['IDENTIFIER 30999999999']],
    ['C.U.I. 1999999999999 (Guatemala)', ['IDENTIFIER 1999999999999']],
    ['US FEIN 999999999 (United States)', ['IDENTIFIER 999999999']],
    ['Unified Social Credit Code (USCC) 999999999999999999 (China)', ['IDENTIFIER 999999999999999999']],
    ['Credencial electoral 0999999999999 (Mexico)', ['IDENTIFIER 0999999999999']],
    ['Italian Fiscal Code XXXYYY99Z99X999Z', ['IDENTIFIER XXXYYY99Z99X999Z']],
    ['Aircraft Construction Number (also called L/N or S/N or F/N) 84010', ['IDENTIFIER 84010']],
    ['Aircraft Construction Number (also called L/N or S/N or F/N) 840', []],
    ['Registration ID HRB 99999 (Germany)', ['IDENTIFIER HRB 99999']],
    ['Registration ID HRA 999 (Germany)', ['IDENTIFIER HRA 999']],
    ['V.A.T. Number BE 999,888,777', ['IDENTIFIER BE 999,888,777', 'IDENTIFIER 999,888,777']],
    ['R.F.C. XXX 991231 9X9 (Mexico)', ['IDENTIFIER XXX 991231 9X9', 'IDENTIFIER 991231 9X9']],
    ['Registration Number 4673230, Doc. 694710 (Panama)', ['IDENTIFIER 4673230']],
    ['National ID No. X999999(9) (Hong Kong)', ['IDENTIFIER X9999999']],
    ['Executive Order 13846 information: X; Linked To: No. 5 COMPANY; Gender Male', []],
  ])('reads %s as values', async (remarks, expected) => {
    const { values } = await read(
      'OFAC_SDN_CSV',
      `1,"EXEMPLO",-0- ,"X",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"${remarks}."\n`,
    );
    expect(values[0]?.values.map(({ type, value }) => `${type} ${value}`)).toEqual(expected);
  });
});

describe('readBirth', () => {
  it.each([
    ['1970-01-31', ['1970-01-31']],
    ['31/01/1970', ['1970-01-31']],
    ['23 Apr 1968', ['1968-04-23']],
    ['23-Apr-68', ['1968-04-23']],
    ['23-Apr-05', ['2005-04-23']],
    ['Apr 1968', ['1968']],
    ['1968', ['1968']],
    ['00/00/1970', ['1970']],
    ['00/04/1970', ['1970']],
    ['dd/mm/1970', ['1970']],
    ['1970-00-00', ['1970']],
    ['circa 1970', ['1970', '1968', '1969', '1971', '1972']],
    ['circa 12 Mar 1970', ['1970', '1968', '1969', '1971', '1972']],
    ['c. 1970', ['1970', '1968', '1969', '1971', '1972']],
    ['1970 (approx.)', ['1970', '1968', '1969', '1971', '1972']],
    ['1970 to 1972', ['1970', '1971', '1972']],
    ['01 Jan 1970 to 31 Dec 1971', ['1970', '1971']],
    ['31/13/1970', ['31/13/1970']],
    ['31/02/1970', ['31/02/1970']],
    ['unknown', ['unknown']],
  ])('%s', (text, expected) => {
    expect(readBirth(text)).toEqual(expected);
  });
});

describe('dateOfFile', () => {
  const now = new Date('2026-11-28T12:00:00.000Z');
  const un = (day: string): string =>
    `<?xml version="1.0"?>\n<CONSOLIDATED_LIST xmlns:a="b" dateGenerated="${day}">`;

  it.each<[ListFormat, string, string | null]>([
    ['UN_XML', un('2019-03-05T00:00:09.554Z'), '2019-03-05'],
    ['UN_XML', un('2031-03-05T00:00:09.554Z'), '2026-11-28'],
    ['UN_XML', '<CONSOLIDATED_LIST>', null],
    ['UK_OFSI_CSV', 'Last Updated,5/3/2019\nName 6,Name 1', '2019-03-05'],
    ['UK_SANCTIONS_CSV', 'Report Date: 05-Mar-2019\nName 6,Name 1', '2019-03-05'],
    ['EU_CSV', '\ufefffileGenerationDate;Entity_LogicalId\n05/03/2019;13', '2019-03-05'],
    ['EU_CSV', 'Date_file;Entity_logical_id\n2019-03-05T10:00;13', '2019-03-05'],
    ['EU_CSV', 'fileGenerationDate;Entity_LogicalId\nd;13', null],
    ['HOUSE_CSV', 'key;name\n05/03/2019;x', null],
  ])('%s: of %j is %s', (format, head, day) => {
    expect(dateOfFile(format, Buffer.from(head), now)?.toISOString().slice(0, 10) ?? null).toBe(day);
  });
});

describe('Lists of other authorities', () => {
  it('the European Union: the lines of one entry are one entry', async () => {
    const header =
      'fileGenerationDate;Entity_LogicalId;Entity_SubjectType_ClassificationCode;Entity_Regulation_Programme;NameAlias_WholeName;BirthDate_BirthDate;BirthDate_Circa;BirthDate_Year;BirthDate_YearRangeFrom;BirthDate_YearRangeTo;Identification_Number;Citizenship_CountryIso2Code';
    const { values, problems } = await read(
      'EU_CSV',
      `${header}\nd;13;person;TEST;Ali Exemplo;;;;;;;\nd;14;enterprise;TEST;Exemplo Co;;;;;;;\nd;13;person;TEST;;1970-01-02;false;1970;;;;\nd;13;person;TEST;;;true;1960;;;;\nd;13;person;TEST;Али Пример;;;;;;A-1234;IR\nd;;person;;x;;;;;;;\n`,
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: '13',
        kind: 'PERSON',
        names: ['Ali Exemplo', 'Али Пример'],
        birthDates: ['1970-01-02', '1960', '1958', '1959', '1961', '1962'],
        values: [{ type: 'IDENTIFIER', value: 'A-1234' }],
        countries: ['IR'],
        remarks: 'TEST',
      }),
      expect.objectContaining({ key: '14', kind: 'ORGANISATION' }),
    ]);
    expect(problems).toEqual(['7 ENTRY_UNREADABLE']);
  });

  it.each<[ListFormat, string, string]>([
    [
      'UK_SANCTIONS_CSV',
      'Unique ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Regime Name,Designation Type,Date of birth',
      'd o b',
    ],
    ['EU_CSV', 'Entity_LogicalId;WholeName;Born;Number', 'namealias wholename'],
  ])('%s: a file without a column that is read is refused with its name', async (format, header, column) => {
    await expect(read(format, `${header}\n1,2,3,4,5,6,7,8,9,10\n`)).rejects.toMatchObject({
      missing: expect.arrayContaining([column]) as unknown,
    });
  });

  it('OFSI of the United Kingdom, whose first line is a date', async () => {
    const header =
      'Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Title,Name Non-Latin Script,DOB,Nationality,Passport Number,Group Type,Regime,Group ID';
    const { values } = await read(
      'UK_OFSI_CSV',
      `Last Updated,20/11/2026\n${header}\nEXEMPLO,Ali,Hassan,,,,Dr,علي,00/00/1970,(1) Iran (2) Syria,(1) A 12345 (2) B 7777,Individual,Test,7\nEXEMPLI,Aly,,,,,,,01/02/1971,,,Individual,Test,7\nNAVIO,,,,,,,,,,,Ship,Test,8\n`,
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: '7',
        kind: 'PERSON',
        names: ['Ali Hassan EXEMPLO', 'علي', 'Aly EXEMPLI'],
        birthDates: ['1970', '1971-02-01'],
        countries: ['IR', 'SY'],
        values: [
          { type: 'IDENTIFIER', value: 'A 12345' },
          { type: 'IDENTIFIER', value: 'B 7777' },
        ],
      }),
      expect.objectContaining({ key: '8', kind: 'OTHER', names: ['NAVIO'] }),
    ]);
  });

  it('the United Kingdom: its single list, below the line of the report date', async () => {
    const header =
      'Last Updated,Unique ID,OFSI Group ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Title,Name non-latin script,Regime Name,Designation Type,D.O.B,Nationality(/ies),National Identifier number,Passport number,Business registration number (s),IMO number';
    const { values, problems } = await read(
      'UK_SANCTIONS_CSV',
      `Report Date: 18-Aug-2026\r\n${header}\r\n20/11/2026,XXX0001,7,EXEMPLO,Ali,Hassan,,,,Primary Name,,Dr,علي,The Test Regulations,Individual,dd/mm/1970,Iran,A-5555,B 7777|C 8888,,\r\n20/11/2026,XXX0001,7,EXEMPLI,Aly,,,,,Alias,Good quality,,,The Test Regulations,Individual,01/02/1971,Syria,,,,\r\n20/11/2026,XXX0002,,NAVIO EXEMPLO,,,,,,Primary Name,,,,The Test Regulations,Ship,,,,,,9000000\r\n20/11/2026,XXX0003,8,Exemplo Co,,,,,,Primary Name,,,,The Test Regulations,Entity,,,,,PJ-1234,\r\n`,
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: 'XXX0001',
        kind: 'PERSON',
        names: ['Ali Hassan EXEMPLO', 'علي', 'Aly EXEMPLI'],
        birthDates: ['1970', '1971-02-01'],
        countries: ['IR', 'SY'],
        values: ['B 7777', 'C 8888', 'A-5555'].map((value) => ({ type: 'IDENTIFIER', value })),
        remarks: 'The Test Regulations',
      }),
      expect.objectContaining({
        ...{ key: 'XXX0002', kind: 'OTHER', values: [{ type: 'IDENTIFIER', value: '9000000' }] },
      }),
      expect.objectContaining({ key: 'XXX0003', kind: 'ORGANISATION', names: ['Exemplo Co'] }),
    ]);
    expect(problems).toEqual([]);
  });

  it('notices of Interpol', async () => {
    const notice = { entity_id: '2020/1', forename: 'ALI', name: 'EXEMPLO', date_of_birth: '1970/01/02' };
    const { values, problems } = await read(
      'INTERPOL_JSON',
      JSON.stringify([{ ...notice, nationalities: ['IR', 5] }, { entity_id: '2020/2' }]),
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: '2020/1',
        names: ['ALI EXEMPLO'],
        birthDates: ['1970-01-02'],
        countries: ['IR'],
      }),
    ]);
    expect(problems).toHaveLength(1);
  });
});

describe('The list of the United Nations', () => {
  const xml = `<?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>
<DATAID>1</DATAID><FIRST_NAME>Exemplo</FIRST_NAME><SECOND_NAME>d&apos;Ab &amp; &secret;</SECOND_NAME><REFERENCE_NUMBER>XXi.001</REFERENCE_NUMBER>
<NATIONALITY><VALUE>Democratic Republic of the Congo</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Primeiro; Segundo Nome</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1971-02-03</DATE></INDIVIDUAL_DATE_OF_BIRTH>
</INDIVIDUAL>
<INDIVIDUAL><DATAID>2</DATAID><FIRST_NAME>Sem referencia</INDIVIDUAL>
</INDIVIDUALS><ENTITIES><ENTITY><REFERENCE_NUMBER>XXe.001</REFERENCE_NUMBER><FIRST_NAME>Frente Exemplo</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;

  it('gives persons and organisations; entities of the file are never resolved', async () => {
    // ASVS 1.5.1
    const { values, problems } = await read('UN_XML', xml);
    expect(values).toEqual([
      expect.objectContaining({
        key: 'XXi.001',
        names: ["Exemplo d'Ab & &secret;", 'Primeiro', 'Segundo Nome'],
        countries: ['CD'],
        birthDates: ['1971-02-03'],
      }),
      expect.objectContaining({ key: 'XXe.001', kind: 'ORGANISATION' }),
    ]);
    expect(problems).toEqual(['10 NOT_WELL_FORMED']);
  });
});

describe('OpenSanctions', () => {
  it('gives targets with several aliases, dates and countries', async () => {
    const { values } = await read(
      'OPENSANCTIONS_CSV',
      'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,program_ids,dataset,first_seen,last_seen,last_change\nNK-1,Person,Exemplo Nome,"Um Nome;""Outro"" Nome",1970-01-02;1971,br;ru,,11222333000181,,,,,Lista,,,\n',
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: 'NK-1',
        names: ['Exemplo Nome', 'Um Nome', '"Outro" Nome'],
        birthDates: ['1970-01-02', '1971'],
        countries: ['BR', 'RU'],
        values: [
          { type: 'DOCUMENT', value: '11222333000181' },
          { type: 'IDENTIFIER', value: '11222333000181' },
        ],
      }),
    ]);
  });
});

describe('What else a published list says', () => {
  it('OpenSanctions: the address of a wallet', async () => {
    const { values } = await read(
      'OPENSANCTIONS_CSV',
      'id,schema,name,aliases\nNK-2,CryptoWallet,1Exemplo2,\n',
    );
    expect(values).toMatchObject([{ values: [{ type: 'WALLET', value: '1Exemplo2' }] }]);
  });

  it('CEIS: the kind of a person in words', async () => {
    const { values, dropped } = await read(
      'CEIS_CNEP_CSV',
      'TIPO DE PESSOA,CPF OU CNPJ DO SANCIONADO,NOME DO SANCIONADO\nFísica,***.456.789-**,UM\nJ,,DOIS\nZ,,TRES\n',
    );
    expect(values.map(({ kind }) => kind)).toEqual(['PERSON', 'ORGANISATION', 'UNKNOWN']);
    expect(dropped).toEqual(['4 tipo de pessoa KIND_UNKNOWN']);
  });

  it('CEIS: the name that the authority gives', async () => {
    const { values } = await read(
      'CEIS_CNEP_CSV',
      'CPF OU CNPJ DO SANCIONADO;NOME DO SANCIONADO;NOME INFORMADO PELO ÓRGÃO SANCIONADOR\n11222333000181;UM LTDA;OUTRO LTDA\n',
    );
    expect(values).toMatchObject([{ names: ['UM LTDA', 'OUTRO LTDA'] }]);
  });
});

describe('Lists of the house', () => {
  it('hold names or values, as CSV', async () => {
    const { values, problems } = await read(
      'HOUSE_CSV',
      'key;name;aliases;kind;document;birthDate;countries;type;value;validFrom;validUntil;remarks\nb1;Fulano Exemplo;Ciclano|Beltrano;person;529.982.247-25;1980-05-06;BR;;;;2027-01-01;fraude\nb2;;;;;;;ip;10.0.0.0/8;;;\nb3;;;;;;;;;;;\nb4;X;;;123;;;;;;;\n',
    );
    expect(values).toEqual([
      expect.objectContaining({
        key: 'b1',
        names: ['Fulano Exemplo', 'Ciclano', 'Beltrano'],
        values: [{ type: 'DOCUMENT', value: '52998224725' }],
        validUntil: '2027-01-01',
      }),
      expect.objectContaining({ key: 'b2', values: [{ type: 'IP', value: '10.0.0.0/8' }] }),
    ]);
    expect(problems).toEqual(['4 NEITHER_NAME_NOR_VALUE', '5 DOCUMENT_INVALID']);
  });

  it('hold values in their canonical form, and nothing that is no value of its type', async () => {
    const { values, problems } = await read(
      'HOUSE_CSV',
      [
        'key;type;value',
        'a;IP;10.1.2.3/8',
        'b;IP;2001:DB8:0::5',
        'c;PIX_KEY;Fulano@Exemplo.com',
        'd;PIX_KEY;(11) 98765-4321',
        'e;DEVICE;{123E4567-E89B-12D3-A456-426614174000}',
        'f;COUNTRY;Coreia do Norte',
        'g;IP;999.1.1.1',
        'h;IP;10.0.0.0/99',
        'i;PIX_KEY;chave do fulano',
        'j;DEVICE;00000000-0000-0000-0000-000000000000',
        'k;COUNTRY;Brazilia',
        'l;ACCOUNT;N/A',
        '',
      ].join('\n'),
    );
    expect(values.map(({ values: [one] }) => one?.value)).toEqual([
      ...['10.0.0.0/8', '2001:db8::5', 'fulano@exemplo.com', '+5511987654321'],
      ...['123e4567-e89b-12d3-a456-426614174000', 'KP'],
    ]);
    expect(problems).toEqual([8, 9, 10, 11, 12, 13].map((line) => `${line} VALUE_INVALID`));
  });

  it.each([
    ['PESSOA FISICA', 'PERSON'],
    ['Pessoa Física', 'PERSON'],
    ['PJ', 'ORGANISATION'],
    ['Persona jurídica', 'ORGANISATION'],
    ['company', 'ORGANISATION'],
    ['Embarcação', 'OTHER'],
    ['', 'UNKNOWN'],
    ['N/A', 'UNKNOWN'],
  ])('a kind of %s is %s', async (written, kind) => {
    const { values, dropped } = await read('HOUSE_CSV', `key;name;kind\na;Fulano Exemplo;${written}\n`);
    expect(values).toMatchObject([{ kind }]);
    expect(dropped).toEqual([]);
  });

  it('name the fields that cannot be read, and are read without them', async () => {
    const { values, problems, dropped } = await read(
      'HOUSE_CSV',
      [
        'key;name;kind;countries;dob;name',
        'a;Fulano Exemplo;PLANETA;Brazilia|Brasil;1970;x',
        'b;Ciclano \ufffdxemplo;;BR;;;;more',
        'c;Beltrano|N/A|Beltrano Exemplo;;N/A;;',
        '',
      ].join('\n'),
    );
    expect(problems).toEqual([]);
    expect(dropped).toEqual([
      '1 dob COLUMN_NOT_READ',
      '1 name COLUMN_NOT_READ',
      '2 kind KIND_UNKNOWN',
      '2 countries COUNTRY_UNKNOWN',
      '3 7 TOO_MANY_COLUMNS',
      '3 names CHARACTER_UNREADABLE',
    ]);
    expect(values.map(({ countries }) => countries)).toEqual([['BR'], ['BR'], []]);
  });

  it('name the members of JSON that cannot be read', async () => {
    const one = { key: 7, name: 'Fulano Exemplo', birthDate: 1970, countries: ['BR', 5, true], nome: 'X' };
    const { values, problems, dropped } = await read(
      'HOUSE_JSON',
      JSON.stringify([one, { key: 'v', values: [{ type: 'IP' }] }]),
    );
    expect(values).toMatchObject([{ key: '7', birthDates: ['1970'], countries: ['BR'] }]);
    expect(problems).toEqual(['1 VALUE_INVALID']);
    expect(dropped).toEqual([
      '1 nome COLUMN_NOT_READ',
      '1 countries NOT_A_TEXT',
      '1 countries COUNTRY_UNKNOWN',
    ]);
  });

  it.each([';', ',', '\t'])('tell their separator %j by the header line', async (separator) => {
    const others = [',', ';', '\t'].filter((other) => other !== separator).join(' ');
    const rows = [
      ['key', 'name', 'remarks'],
      ['a', `Exemplo${others} Fulano${others} de${others} Tal`, `x${others} `.repeat(9)],
    ];
    const { values, problems } = await read('HOUSE_CSV', rows.map((row) => row.join(separator)).join('\n'));
    expect(problems).toEqual([]);
    expect(values).toMatchObject([{ key: 'a', names: [rows[1]![1]] }]);
  });

  it.each<[string, (text: string) => Buffer]>([
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
    ['ISO-8859-1', (text) => Buffer.from(text, 'latin1')],
    ['UTF-16 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16, the other way round', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('are read in %s', async (_, encoded) => {
    const { values, dropped } = await read('HOUSE_CSV', encoded('key;name\na;José Exemplo\nb;Conceição\n'));
    expect(values.map(({ names }) => names)).toEqual([['José Exemplo'], ['Conceição']]);
    expect(dropped).toEqual([]);
  });

  it('are read line by line where a line is in another encoding, however far down', async () => {
    const line = (i: number): string => `k${i};São João ${i}\n`;
    const many = Array.from({ length: 9_000 }, (_, i) => line(i)).join('');
    const file = Buffer.concat([
      Buffer.from(`key;name\n${many}`),
      Buffer.from('x;Antônio Conceição\ny;', 'latin1'),
      // Cyrillic in Windows-1251: read as something else it would be nobody's name.
      Buffer.from([0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2]),
      Buffer.from(`\nz;Zoé\n`),
    ]);
    const { values, problems } = await all(readEntries('HOUSE_CSV', { main: pieces(file, 4_096) }));
    expect(values).toHaveLength(9_002);
    expect(values.slice(-2).map(({ names }) => names[0])).toEqual(['Antônio Conceição', 'Zoé']);
    expect(problems).toEqual(['9003 CHARACTER_UNREADABLE']);
  });

  it('keep apart two persons under one key, and merge what says the same again', async () => {
    const lines = [
      'P1;Fulano Exemplo',
      'P1;Beltrana Fictícia',
      'P1;Fulano Exemplo',
      'P1#2;Sicrano',
      'P1;Outro',
    ];
    const { values, merged } = await read('HOUSE_CSV', ['key;name', ...lines, ''].join('\n'));
    expect(merged).toBe(1);
    expect(values.map(({ key, names }) => `${key} ${names.join()}`)).toEqual([
      ...['P1 Fulano Exemplo', 'P1#2 Beltrana Fictícia', 'P1#2#2 Sicrano', 'P1#3 Outro'],
    ]);
  });

  it('as a JSON array and as JSON lines', async () => {
    const one = { key: 'k1', name: 'Fulano {"Exemplo"}', values: [{ type: 'WALLET', value: 'bc1qexample' }] };
    const two = { key: 'k2', name: 'Outro', birthDate: '1990' };
    for (const text of [
      JSON.stringify([one, two], null, 2),
      `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`,
    ]) {
      const { values, problems } = await read('HOUSE_JSON', text);
      expect(problems).toEqual([]);
      expect(values.map(({ key, names }) => [key, names[0]])).toEqual([
        ['k1', 'Fulano {"Exemplo"}'],
        ['k2', 'Outro'],
      ]);
    }
  });
});

const nobody: SubjectFacts = { document: null, visibleDigits: null, birthDate: null, nationalities: [] };
const listed: ListEntry = {
  key: 'e',
  kind: 'PERSON',
  names: ['Maria Exemplo'],
  values: [],
  maskedDocument: null,
  birthDates: [],
  countries: [],
  validFrom: null,
  validUntil: null,
  remarks: null,
};
const judged = (
  kind: ListKind,
  subject: Partial<SubjectFacts>,
  entry: Partial<ListEntry>,
  score: number,
  rare = false,
): QualifiedMatch | null => {
  const facts = qualifiersOf({ ...nobody, ...subject }, { ...listed, ...entry }, '2026-11-20');
  return facts && qualifyMatch(facts, { score, rare }, { kind, thresholds: defaultThresholds[kind] });
};

describe('A hit on the list of politically exposed persons', () => {
  it('is mandatory when the visible digits of the CPF and the name are equal', () => {
    expect(judged('PEP', { visibleDigits: '456789' }, { maskedDocument: '456789' }, 0.95)).toMatchObject({
      mandatory: true,
      strength: 'STRONG',
      qualifiers: expect.arrayContaining(['MASKED_DOCUMENT_EQUAL']) as unknown,
    });
  });

  it('is none when the visible digits are equal and the name is another', () => {
    expect(judged('PEP', { visibleDigits: '456789' }, { maskedDocument: '456789' }, 0.5)).toBeNull();
    expect(judged('PEP', { visibleDigits: '456789' }, { maskedDocument: '456789' }, 0.86)).toMatchObject({
      mandatory: false,
    });
  });

  it('is evidence and no forced review for a namesake of whom nothing else is known', () => {
    expect(judged('PEP', {}, { maskedDocument: '456789' }, 1)).toMatchObject({
      mandatory: false,
      strength: 'NAME',
    });
  });

  it('is mandatory for a name so rare that one bearer is expected, unless the digits differ', () => {
    expect(judged('PEP', {}, { maskedDocument: '456789' }, 1, true)).toMatchObject({ mandatory: true });
    expect(judged('PEP', { visibleDigits: '111222' }, { maskedDocument: '456789' }, 1, true)).toMatchObject({
      mandatory: false,
      strength: 'CONTRADICTED',
    });
  });

  it('is none from the day after the grace period ends', () => {
    const subject = { visibleDigits: '456789' };
    expect(judged('PEP', subject, { maskedDocument: '456789', validUntil: '2026-11-19' }, 1)).toBeNull();
    expect(judged('PEP', subject, { maskedDocument: '456789', validUntil: '2026-11-20' }, 1)).toMatchObject({
      mandatory: true,
    });
  });
});

describe('A hit on a list of sanctions', () => {
  it('is mandatory by name alone from 0.85', () => {
    expect(judged('SANCTIONS', {}, {}, 0.85)).toMatchObject({ mandatory: true, strength: 'NAME' });
    expect(judged('SANCTIONS', {}, {}, 0.84)).toMatchObject({ mandatory: false });
    expect(judged('SANCTIONS', {}, {}, 0.79)).toBeNull();
  });

  it('is evidence when the birth date contradicts, unless the name is there in full', () => {
    const differ = [{ birthDate: '1990-01-01' }, { birthDates: ['1950'] }] as const;
    expect(judged('SANCTIONS', ...differ, 0.9)).toMatchObject({ mandatory: false, strength: 'CONTRADICTED' });
    expect(judged('SANCTIONS', ...differ, 1)).toMatchObject({
      mandatory: true,
      strength: 'CONTRADICTED',
      qualifiers: expect.arrayContaining(['BIRTH_DATE_DIFFERENT']) as unknown,
    });
    expect(judged('SANCTIONS', { birthDate: '1951-01-01' }, { birthDates: ['1950'] }, 1)).toMatchObject({
      mandatory: true,
    });
  });

  it('is certain when the full document is equal, whatever the name', () => {
    const values = [{ type: 'DOCUMENT', value: '52998224725' } as const];
    expect(judged('SANCTIONS', { document: '52998224725' }, { values }, 0)).toMatchObject({
      score: 1,
      strength: 'DOCUMENT',
      mandatory: true,
    });
  });
});

describe('The score of a hit', () => {
  it('stays between 0 and 1, and a contradiction is mandatory for an exact name of a list of sanctions only', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        fc.constantFrom('456789', '111222', null),
        fc.constantFrom('1970-01-01', '1990', null),
        fc.constantFrom<ListKind>('SANCTIONS', 'PEP', 'BLOCKLIST', 'WATCH'),
        (score, rare, visibleDigits, birthDate, kind) => {
          const hit = judged(
            kind,
            { visibleDigits, birthDate, nationalities: ['BR'] },
            { maskedDocument: '456789', birthDates: ['1970-01-01'], countries: ['BR'] },
            score,
            rare,
          );
          if (!hit) return;
          expect(hit.score).toBeGreaterThanOrEqual(0);
          expect(hit.score).toBeLessThanOrEqual(1);
          if (hit.mandatory && hit.strength === 'CONTRADICTED') {
            expect(kind).toBe('SANCTIONS');
            expect(score).toBeGreaterThanOrEqual(0.95);
            expect(visibleDigits).not.toBe('111222');
          }
        },
      ),
    );
  });
});

describe('A name', () => {
  it('is rare when hardly anybody is expected to bear all of it', () => {
    expect(isRareName([0.03, 0.03, 0.02])).toBe(false);
    expect(isRareName([0.0005, 0.0005])).toBe(false);
    expect(isRareName([0.0005, 0.0005, 0.0005])).toBe(true);
    expect(isRareName([0.0000001])).toBe(false);
  });
});
