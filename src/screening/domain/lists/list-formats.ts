import type { ListEntry } from './list-entry.js';
import type { NameKind } from '../names/normalise.js';
import { csvRecords, textOf, xmlRecords, type Bytes, type Read, type XmlElement } from './text-records.js';
import {
  type ListFiles,
  entriesOf,
  rowsOf,
  visibleDigits,
  numbered,
  folded,
  nothing,
  brazilianDate,
  documentOf,
  distinct,
  NotThisFormat,
  wordDate,
  countryOf,
  many,
} from './list-values.js';
import { houseCsvEntries, houseJsonEntries } from './house-list.js';

/** The file formats that lists come in, and how each is read. */
const readers = {
  CGU_PEP_CSV: ({ main }: ListFiles) => pepEntries(main),
  CEIS_CNEP_CSV: ({ main }: ListFiles) => debarmentEntries(main),
  OFAC_SDN_CSV: ofacEntries,
  UN_XML: ({ main }: ListFiles) => unEntries(main),
  OPENSANCTIONS_CSV: ({ main }: ListFiles) => openSanctionsEntries(main),
  HOUSE_CSV: ({ main }: ListFiles) => houseCsvEntries(main),
  HOUSE_JSON: ({ main }: ListFiles) => houseJsonEntries(main),
};
export type ListFormat = keyof typeof readers;
export const listFormats = Object.keys(readers) as ListFormat[];

/** Reads the entries of a file, one at a time; what cannot be read is reported with its line. */
export const readEntries = (format: ListFormat, files: ListFiles): AsyncGenerator<Read<ListEntry>> =>
  readers[format](files);

/** The Brazilian government's list of politically exposed persons; documents are masked. */
function pepEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  const seen = new Map<string, number>();
  return entriesOf(rowsOf(bytes, [';', ','], ['cpf', 'nome pep']), (row) => {
    const name = row('nome pep');
    if (name === '') return 'NAME_MISSING';
    const masked = visibleDigits(row('cpf'));
    if (masked === null) return 'CPF_NOT_MASKED_AS_EXPECTED';
    // Grace runs five years from the end of the office; where the file does not say, the office decides.
    const key = numbered(
      seen,
      `${masked}|${folded(name)}|${folded(row('descricao funcao'))}|${row('data inicio exercicio')}`,
    );
    return {
      ...nothing,
      key,
      kind: 'PERSON',
      names: [name],
      maskedDocument: masked,
      countries: ['BR'],
      validUntil: brazilianDate(row('data fim carencia')),
      remarks: [row('descricao funcao'), row('nome orgao')].filter((text) => text !== '').join(', ') || null,
    };
  });
}

/** CEIS and CNEP: companies and persons barred from public contracts. */
function debarmentEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  const seen = new Map<string, number>();
  const rows = rowsOf(bytes, [';', ','], ['cpf ou cnpj do sancionado', 'nome do sancionado']);
  return entriesOf(rows, (row) => {
    const name = row('nome do sancionado');
    if (name === '') return 'NAME_MISSING';
    const raw = row('cpf ou cnpj do sancionado');
    const document = documentOf(raw);
    const masked = document === null ? visibleDigits(raw) : null;
    if (document === null && masked === null && raw !== '') return 'DOCUMENT_INVALID';
    const code = row('codigo da sancao');
    return {
      ...nothing,
      key: numbered(seen, `${code || row('numero do processo')}|${document ?? masked ?? folded(name)}`),
      kind: row('tipo de pessoa').toUpperCase() === 'F' ? 'PERSON' : 'ORGANISATION',
      names: distinct([name, row('razao social cadastro receita'), row('nome fantasia cadastro receita')]),
      values: document === null ? [] : [{ type: 'DOCUMENT', value: document }],
      maskedDocument: masked,
      countries: ['BR'],
      validFrom: brazilianDate(row('data inicio sancao')),
      validUntil: brazilianDate(row('data final sancao')),
      remarks:
        [row('categoria da sancao'), row('orgao sancionador')].filter((text) => text !== '').join(', ') ||
        null,
    };
  });
}

const OFAC_NULL = '-0-';
const ofacField = (fields: readonly string[], i: number): string => {
  const text = (fields[i] ?? '').trim();
  return text === OFAC_NULL ? '' : text;
};

/** OFAC SDN: the list and, in a file of their own, the aliases. Neither has a header line. */
async function* ofacEntries({ main, aliases }: ListFiles): AsyncGenerator<Read<ListEntry>> {
  const others = new Map<string, string[]>();
  if (aliases) {
    for await (const record of csvRecords(textOf(aliases), ',')) {
      if ('problem' in record) {
        yield { line: record.line, problem: `ALIAS_${record.problem}` };
        continue;
      }
      const id = ofacField(record.value, 0);
      const name = ofacField(record.value, 3);
      if (isEndOfFile(record.value)) continue;
      if (!/^\d+$/.test(id) || name === '') yield { line: record.line, problem: 'ALIAS_UNREADABLE' };
      else others.set(id, [...(others.get(id) ?? []), name]);
    }
  }
  let read = 0;
  for await (const record of csvRecords(textOf(main), ',')) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: fields } = record;
    if (isEndOfFile(fields)) continue;
    const id = ofacField(fields, 0);
    const name = ofacField(fields, 1);
    if (!/^\d+$/.test(id) || name === '' || fields.length < 4) {
      if (read === 0 && line > 20) throw new NotThisFormat(['ent_num', 'SDN_Name']);
      yield { line, problem: fields.length < 4 ? 'TOO_FEW_COLUMNS' : 'ENTRY_UNREADABLE' };
      continue;
    }
    read += 1;
    const remarks = ofacField(fields, 11);
    yield {
      line,
      value: {
        ...nothing,
        key: id,
        kind: ofacKind(ofacField(fields, 2)),
        names: distinct([name, ...(others.get(id) ?? [])]),
        birthDates: distinct(
          [...remarks.matchAll(/\bDOB (?:circa )?((?:\d{1,2} )?(?:[A-Z][a-z]{2} )?\d{4})/g)].map((match) =>
            wordDate(match[1] ?? ''),
          ),
        ),
        countries: distinct(
          [...remarks.matchAll(/\b(?:nationality|citizen) ([A-Z][A-Za-z ,'-]+?)(?:;|\.|$)/g)].map((match) =>
            countryOf(match[1] ?? ''),
          ),
        ),
        remarks: ofacField(fields, 3) || null,
      },
    };
  }
  if (read === 0) throw new NotThisFormat(['ent_num', 'SDN_Name']);
}

// The files of OFAC end with a control character on a line of its own.
const isEndOfFile = (fields: readonly string[]): boolean =>
  fields.length === 1 && fields[0]?.trim() === '\u001a';

function ofacKind(type: string): NameKind {
  if (type === 'individual') return 'PERSON';
  return type === 'vessel' || type === 'aircraft' ? 'OTHER' : 'ORGANISATION';
}

/** The consolidated list of the United Nations Security Council. */
async function* unEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  let read = 0;
  const elements = xmlRecords(textOf(bytes), ['INDIVIDUAL', 'ENTITY']);
  yield* entriesOf(elements, (element) => {
    read += 1;
    return unEntry(element);
  });
  if (read === 0) throw new NotThisFormat(['INDIVIDUAL', 'ENTITY']);
}

function unEntry(element: XmlElement): ListEntry | string {
  const person = element.name === 'INDIVIDUAL';
  const name = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']
    .map((part) => textIn(element, part))
    .filter((part) => part !== '')
    .join(' ');
  const key = textIn(element, 'REFERENCE_NUMBER') || textIn(element, 'DATAID');
  if (name === '' || key === '') return 'ENTRY_UNREADABLE';
  const aliases = childrenOf(element, `${element.name}_ALIAS`).flatMap((alias) =>
    textIn(alias, 'ALIAS_NAME').split(/\s*;\s*/),
  );
  return {
    ...nothing,
    key,
    kind: person ? 'PERSON' : 'ORGANISATION',
    names: distinct([name, textIn(element, 'NAME_ORIGINAL_SCRIPT'), ...aliases]),
    birthDates: distinct(
      childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').map(
        (date) => textIn(date, 'DATE').slice(0, 10) || textIn(date, 'YEAR'),
      ),
    ).filter((date) => /^\d{4}(-\d{2}-\d{2})?$/.test(date)),
    countries: distinct(
      childrenOf(element, 'NATIONALITY').flatMap((nationality) =>
        childrenOf(nationality, 'VALUE').map(({ text }) => countryOf(text)),
      ),
    ),
    remarks: textIn(element, 'UN_LIST_TYPE') || null,
  };
}

const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

const textIn = (element: XmlElement, name: string): string =>
  (childrenOf(element, name)[0]?.text ?? '').replace(/\s+/g, ' ').trim();

/** OpenSanctions, the simple table of targets. */
function openSanctionsEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  return entriesOf(rowsOf(bytes, [','], ['id', 'schema', 'name', 'aliases']), (row) => {
    if (row('id') === '' || row('name') === '') return 'ENTRY_UNREADABLE';
    return {
      ...nothing,
      key: row('id'),
      kind: openSanctionsKind(row('schema')),
      names: distinct([row('name'), ...many(row('aliases'))]),
      values: many(row('identifiers')).flatMap((identifier) => {
        const document = documentOf(identifier);
        return document === null ? [] : [{ type: 'DOCUMENT', value: document } as const];
      }),
      birthDates: distinct(many(row('birth date')).map((date) => date.slice(0, 10))).filter((date) =>
        /^\d{4}(-\d{2}-\d{2})?$/.test(date),
      ),
      countries: distinct(many(row('countries')).map((code) => countryOf(code))),
      remarks: row('dataset') || null,
    };
  });
}

function openSanctionsKind(schema: string): NameKind {
  if (schema === 'Person') return 'PERSON';
  if (schema === 'Vessel' || schema === 'Airplane') return 'OTHER';
  return ['Company', 'Organization', 'PublicBody'].includes(schema) ? 'ORGANISATION' : 'UNKNOWN';
}
