import type { NameKind } from '../names/normalise.js';
import { foldColumnName } from '../../../../platform/kernel/csv/csv-table.js';
import type { Bytes } from '../../../../platform/kernel/csv/decode-text.js';
import {
  type ListFiles,
  type ParsedRecord,
  parseBirthDates,
  parseBrazilianDate,
  parseCountries,
  distinct,
  distinctValues,
  documentOf,
  toEntries,
  parseIdentifiers,
  parseNameKind,
  splitValues,
  emptyFields,
  readRows,
  visibleDigits,
} from './list-values.js';
import { resolveDuplicateKeys } from './duplicate-keys.js';
import { houseCsvEntries, houseJsonEntries } from './house-list.js';
import { ofacEntries } from './ofac-list.js';
import { euEntries, interpolEntries, ofsiEntries, ukSanctionsEntries } from './other-lists.js';
import { unEntries } from './un-list.js';

const readers = {
  CGU_PEP_CSV: ({ main }: ListFiles) => pepEntries(main),
  CEIS_CNEP_CSV: ({ main }: ListFiles) => debarmentEntries(main),
  OFAC_SDN_CSV: ofacEntries,
  UN_XML: ({ main }: ListFiles) => unEntries(main),
  EU_CSV: ({ main }: ListFiles) => euEntries(main),
  UK_SANCTIONS_CSV: ({ main }: ListFiles) => ukSanctionsEntries(main),
  UK_OFSI_CSV: ({ main }: ListFiles) => ofsiEntries(main),
  INTERPOL_JSON: ({ main }: ListFiles) => interpolEntries(main),
  OPENSANCTIONS_CSV: ({ main }: ListFiles) => openSanctionsEntries(main),
  HOUSE_CSV: ({ main }: ListFiles) => houseCsvEntries(main),
  HOUSE_JSON: ({ main }: ListFiles) => houseJsonEntries(main),
};
export type ListFormat = keyof typeof readers;
export const listFormats = Object.keys(readers) as ListFormat[];

/**
 * Reads the entries of a file, one at a time. Each line is an entry with a unique key, repeats an earlier line, or is
 * reported with the reason why it could not be read.
 */
export const readEntries = (format: ListFormat, files: ListFiles): AsyncGenerator<ParsedRecord> =>
  resolveDuplicateKeys(readers[format](files));

/** Reads the Brazilian government's list of politically exposed persons; documents are masked. */
function pepEntries(bytes: Bytes): AsyncGenerator<ParsedRecord> {
  return toEntries(readRows(bytes, ['cpf', 'nome pep']), (row, note) => {
    const name = row('nome pep');
    if (name === '') return 'NAME_MISSING';
    const masked = visibleDigits(row('cpf'));
    if (masked === null) return 'CPF_NOT_MASKED_AS_EXPECTED';
    // The grace period runs five years from the end of the office; if the file lacks that end, the entry has no limit.
    const key = `${masked}|${foldColumnName(name)}|${foldColumnName(row('descricao funcao'))}|${row('data inicio exercicio')}`;
    return {
      ...emptyFields,
      key,
      kind: 'PERSON',
      names: [name],
      maskedDocument: masked,
      countries: ['BR'],
      validUntil: parseBrazilianDate(row, 'data fim carencia', note),
      remarks: [row('descricao funcao'), row('nome orgao')].filter((text) => text !== '').join(', ') || null,
    };
  });
}

/** Reads CEIS and CNEP: companies and persons barred from public contracts. */
function debarmentEntries(bytes: Bytes): AsyncGenerator<ParsedRecord> {
  const rows = readRows(bytes, ['cpf ou cnpj do sancionado', 'nome do sancionado']);
  return toEntries(rows, (row, note) => {
    const name = row('nome do sancionado');
    if (name === '') return 'NAME_MISSING';
    const raw = row('cpf ou cnpj do sancionado');
    const document = documentOf(raw);
    const masked = document === null ? visibleDigits(raw) : null;
    if (document === null && masked === null && raw !== '') return 'DOCUMENT_INVALID';
    const code = row('codigo da sancao');
    return {
      ...emptyFields,
      key: `${code || row('numero do processo')}|${document ?? masked ?? foldColumnName(name)}`,
      kind: parseNameKind(row('tipo de pessoa'), 'tipo de pessoa', note),
      names: distinct([
        name,
        row('nome informado pelo orgao sancionador'),
        row('razao social cadastro receita'),
        row('nome fantasia cadastro receita'),
      ]),
      values: document === null ? [] : [{ type: 'DOCUMENT', value: document }],
      maskedDocument: masked,
      countries: ['BR'],
      validFrom: parseBrazilianDate(row, 'data inicio sancao', note),
      validUntil: parseBrazilianDate(row, 'data final sancao', note),
      remarks:
        [row('categoria da sancao'), row('orgao sancionador')].filter((text) => text !== '').join(', ') ||
        null,
    };
  });
}

/** Reads OpenSanctions, the simple table of targets. */
function openSanctionsEntries(bytes: Bytes): AsyncGenerator<ParsedRecord> {
  return toEntries(readRows(bytes, ['id', 'schema', 'name', 'aliases']), (row, note) => {
    if (row('id') === '' || row('name') === '') return 'ENTRY_UNREADABLE';
    return {
      ...emptyFields,
      key: row('id'),
      kind: openSanctionsKind(row('schema')),
      names: distinct([row('name'), ...splitValues(row('aliases'))]),
      values: distinctValues([
        ...splitValues(row('identifiers')).flatMap(parseIdentifiers),
        ...(row('schema') === 'CryptoWallet' ? [{ type: 'WALLET', value: row('name') } as const] : []),
      ]),
      birthDates: parseBirthDates(
        // Dates of birth are compared as days or years, so a month is reduced to its year.
        splitValues(row('birth date')).map((date) =>
          /^\d{4}-\d{2}$/.test(date) ? date.slice(0, 4) : date.slice(0, 10),
        ),
        'birth date',
        note,
      ),
      countries: parseCountries(splitValues(row('countries')), 'countries', note),
      remarks: row('dataset') || null,
    };
  });
}

function openSanctionsKind(schema: string): NameKind {
  if (schema === 'Person') return 'PERSON';
  if (schema === 'Vessel' || schema === 'Airplane') return 'OTHER';
  return ['Company', 'Organization', 'PublicBody'].includes(schema) ? 'ORGANISATION' : 'UNKNOWN';
}
