import { countryCodes } from '../../kernel/reference/countries.js';
import { TaxId } from '../../kernel/tax-id.js';
import { valueTypes, type ListedValue, type ListEntry, type ValueType } from './list-entry.js';
import type { NameKind } from './normalise.js';
import {
  csvRecords,
  jsonRecords,
  textOf,
  xmlRecords,
  type Bytes,
  type Read,
  type XmlElement,
} from './text-records.js';

/** The file formats that lists come in. */
export const listFormats = [
  'CGU_PEP_CSV',
  'CEIS_CNEP_CSV',
  'OFAC_SDN_CSV',
  'UN_XML',
  'OPENSANCTIONS_CSV',
  'HOUSE_CSV',
  'HOUSE_JSON',
] as const;
export type ListFormat = (typeof listFormats)[number];

/** Files of one import: the list itself and, for OFAC, its aliases. */
export interface ListFiles {
  readonly main: Bytes;
  readonly aliases?: Bytes;
}

/** Why the whole file is refused. Its lines are not read. */
export class NotThisFormat extends Error {
  constructor(readonly missing: readonly string[]) {
    super('The file does not look like the format that was named.');
    this.name = 'NotThisFormat';
  }
}

/** Reads the entries of a file, one at a time; what cannot be read is reported with its line. */
export function readEntries(format: ListFormat, files: ListFiles): AsyncGenerator<Read<ListEntry>> {
  switch (format) {
    case 'CGU_PEP_CSV':
      return pepEntries(files.main);
    case 'CEIS_CNEP_CSV':
      return debarmentEntries(files.main);
    case 'OFAC_SDN_CSV':
      return ofacEntries(files);
    case 'UN_XML':
      return unEntries(files.main);
    case 'OPENSANCTIONS_CSV':
      return openSanctionsEntries(files.main);
    case 'HOUSE_CSV':
      return houseCsvEntries(files.main);
    case 'HOUSE_JSON':
      return houseJsonEntries(files.main);
  }
}

const nothing = {
  names: [],
  values: [],
  maskedDocument: null,
  birthDates: [],
  countries: [],
  validFrom: null,
  validUntil: null,
  remarks: null,
} as const satisfies Partial<ListEntry>;

/** A record of a file with a header line, by folded column name. */
type Row = (column: string) => string;

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\ufeff]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Rows below the header line. Lines above it (some registers put notes there) are passed over. */
async function* rowsOf(
  bytes: Bytes,
  separators: readonly string[],
  required: readonly string[],
): AsyncGenerator<Read<Row>> {
  const { texts, head } = await begun(textOf(bytes));
  const separator = separators.reduce((best, each) =>
    head.split(each).length > head.split(best).length ? each : best,
  );
  let columns: Map<string, number> | null = null;
  let passed = 0;
  for await (const record of csvRecords(texts, separator)) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    if (!columns) {
      const names = record.value.map(folded);
      const missing = required.filter((name) => !names.some((own) => own === name));
      if (missing.length === 0) columns = new Map(names.map((name, i) => [name, i]));
      else if ((passed += 1) > 20) throw new NotThisFormat(missing);
      continue;
    }
    const { value, line } = record;
    if (value.length < columns.size && value.length < columns.size - 2) {
      yield { line, problem: 'TOO_FEW_COLUMNS' };
      continue;
    }
    const places = columns;
    yield { line, value: (name) => (value[places.get(name) ?? -1] ?? '').trim() };
  }
  if (!columns) throw new NotThisFormat(required);
}

/** The beginning of a text, and the text from its beginning. */
async function begun(
  texts: AsyncGenerator<string>,
): Promise<{ texts: AsyncGenerator<string>; head: string }> {
  const first = await texts.next();
  const head = first.done === true ? '' : first.value;
  async function* whole(): AsyncGenerator<string> {
    if (head !== '') yield head;
    yield* texts;
  }
  return { texts: whole(), head: head.slice(0, 4096) };
}

/** The Brazilian government's list of politically exposed persons; documents are masked. */
async function* pepEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  const seen = new Map<string, number>();
  for await (const record of rowsOf(bytes, [';', ','], ['cpf', 'nome pep'])) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: row } = record;
    const name = row('nome pep');
    const masked = visibleDigits(row('cpf'));
    if (name === '') yield { line, problem: 'NAME_MISSING' };
    else if (masked === null) yield { line, problem: 'CPF_NOT_MASKED_AS_EXPECTED' };
    else {
      // Grace runs five years from the end of the office; where the file does not say, the office decides.
      const key = numbered(
        seen,
        `${masked}|${folded(name)}|${folded(row('descricao funcao'))}|${row('data inicio exercicio')}`,
      );
      yield {
        line,
        value: {
          ...nothing,
          key,
          kind: 'PERSON',
          names: [name],
          maskedDocument: masked,
          countries: ['BR'],
          validFrom: null,
          validUntil: brazilianDate(row('data fim carencia')),
          remarks:
            [row('descricao funcao'), row('nome orgao')].filter((text) => text !== '').join(', ') || null,
        },
      };
    }
  }
}

/** CEIS and CNEP: companies and persons barred from public contracts. */
async function* debarmentEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  const seen = new Map<string, number>();
  for await (const record of rowsOf(bytes, [';', ','], ['cpf ou cnpj do sancionado', 'nome do sancionado'])) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: row } = record;
    const name = row('nome do sancionado');
    if (name === '') {
      yield { line, problem: 'NAME_MISSING' };
      continue;
    }
    const raw = row('cpf ou cnpj do sancionado');
    const document = documentOf(raw);
    const masked = document === null ? visibleDigits(raw) : null;
    if (document === null && masked === null && raw !== '') {
      yield { line, problem: 'DOCUMENT_INVALID' };
      continue;
    }
    const code = row('codigo da sancao');
    yield {
      line,
      value: {
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
      },
    };
  }
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
  for await (const record of xmlRecords(textOf(bytes), ['INDIVIDUAL', 'ENTITY'])) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    read += 1;
    const { line, value: element } = record;
    const entry = unEntry(element);
    yield entry ? { line, value: entry } : { line, problem: 'ENTRY_UNREADABLE' };
  }
  if (read === 0) throw new NotThisFormat(['INDIVIDUAL', 'ENTITY']);
}

function unEntry(element: XmlElement): ListEntry | null {
  const person = element.name === 'INDIVIDUAL';
  const name = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']
    .map((part) => textIn(element, part))
    .filter((part) => part !== '')
    .join(' ');
  const key = textIn(element, 'REFERENCE_NUMBER') || textIn(element, 'DATAID');
  if (name === '' || key === '') return null;
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
async function* openSanctionsEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  for await (const record of rowsOf(bytes, [','], ['id', 'schema', 'name', 'aliases'])) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: row } = record;
    if (row('id') === '' || row('name') === '') {
      yield { line, problem: 'ENTRY_UNREADABLE' };
      continue;
    }
    yield {
      line,
      value: {
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
      },
    };
  }
}

function openSanctionsKind(schema: string): NameKind {
  if (schema === 'Person') return 'PERSON';
  if (schema === 'Vessel' || schema === 'Airplane') return 'OTHER';
  return ['Company', 'Organization', 'PublicBody'].includes(schema) ? 'ORGANISATION' : 'UNKNOWN';
}

/** A list of the house: a header line with any of the columns that `docs/screening.md` names. */
async function* houseCsvEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  for await (const record of rowsOf(bytes, [';', ',', '\t'], ['key'])) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: row } = record;
    yield houseEntry(line, {
      key: row('key'),
      kind: row('kind'),
      names: [row('name'), ...row('aliases').split('|')],
      values: row('value') === '' ? [] : [{ type: row('type') || 'DOCUMENT', value: row('value') }],
      document: row('document'),
      birthDates: row('birthdate').split('|'),
      countries: row('countries').split('|'),
      validFrom: row('validfrom'),
      validUntil: row('validuntil'),
      remarks: row('remarks'),
    });
  }
}

async function* houseJsonEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  for await (const record of jsonRecords(textOf(bytes))) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value } = record;
    const object = value as Readonly<Record<string, unknown>>;
    const text = (name: string): string => (typeof object[name] === 'string' ? object[name] : '');
    const texts = (name: string): string[] => {
      const found = object[name];
      return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : text(name).split('|');
    };
    const values = Array.isArray(object['values']) ? (object['values'] as unknown[]) : [];
    yield houseEntry(line, {
      key: text('key'),
      kind: text('kind'),
      names: [text('name'), ...texts('aliases')],
      values: values.filter(isValue),
      document: text('document'),
      birthDates: texts('birthDate'),
      countries: texts('countries'),
      validFrom: text('validFrom'),
      validUntil: text('validUntil'),
      remarks: text('remarks'),
    });
  }
}

const isValue = (value: unknown): value is { type: string; value: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Record<string, unknown>)['type'] === 'string' &&
  typeof (value as Record<string, unknown>)['value'] === 'string';

interface HouseRow {
  readonly key: string;
  readonly kind: string;
  readonly names: readonly string[];
  readonly values: readonly { readonly type: string; readonly value: string }[];
  readonly document: string;
  readonly birthDates: readonly string[];
  readonly countries: readonly string[];
  readonly validFrom: string;
  readonly validUntil: string;
  readonly remarks: string;
}

const houseKinds: Readonly<Record<string, NameKind>> = {
  PERSON: 'PERSON',
  ORGANISATION: 'ORGANISATION',
  ORGANIZATION: 'ORGANISATION',
  OTHER: 'OTHER',
};

function houseEntry(line: number, row: HouseRow): Read<ListEntry> {
  const names = distinct(row.names);
  const values: ListedValue[] = [];
  for (const { type, value } of row.values) {
    const read = valueOf(type.toUpperCase(), value);
    if (read === null) return { line, problem: 'VALUE_INVALID' };
    values.push(read);
  }
  let masked: string | null = null;
  if (row.document !== '') {
    const document = documentOf(row.document);
    masked = document === null ? visibleDigits(row.document) : null;
    if (document !== null) values.push({ type: 'DOCUMENT', value: document });
    else if (masked === null) return { line, problem: 'DOCUMENT_INVALID' };
  }
  const dates = [...row.birthDates, row.validFrom, row.validUntil].filter((date) => date !== '');
  if (dates.some((date) => !/^\d{4}(-\d{2}-\d{2})?$/.test(date))) return { line, problem: 'DATE_INVALID' };
  if (names.length === 0 && values.length === 0) return { line, problem: 'NEITHER_NAME_NOR_VALUE' };
  if (row.key === '') return { line, problem: 'KEY_MISSING' };
  return {
    line,
    value: {
      key: row.key,
      kind: houseKinds[row.kind.toUpperCase()] ?? 'UNKNOWN',
      names,
      values,
      maskedDocument: masked,
      birthDates: distinct(row.birthDates),
      countries: distinct(row.countries.map((country) => countryOf(country))),
      validFrom: row.validFrom || null,
      validUntil: row.validUntil || null,
      remarks: row.remarks || null,
    },
  };
}

/** A value as it is compared: documents without punctuation, codes in capitals, addresses in canonical form. */
export function valueOf(type: string, raw: string): ListedValue | null {
  const value = raw.trim();
  if (value === '' || value.length > 256 || !(valueTypes as readonly string[]).includes(type)) return null;
  const known = type as ValueType;
  switch (known) {
    case 'DOCUMENT': {
      const document = documentOf(value);
      return document === null ? null : { type: known, value: document };
    }
    case 'COUNTRY': {
      const code = countryOf(value);
      return code === '' ? null : { type: known, value: code };
    }
    case 'IP':
      return /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(value) ? { type: known, value: value.toLowerCase() } : null;
    case 'ACCOUNT':
    case 'PIX_KEY':
    case 'WALLET':
    case 'DEVICE':
      return { type: known, value };
  }
}

function documentOf(text: string): string | null {
  const parsed = TaxId.parse(text);
  return parsed.ok && !parsed.id.isMasked ? parsed.id.canonical() : null;
}

/** The six digits that a masked CPF shows: `***.456.789-**` and `***456789**` alike. */
export function visibleDigits(text: string): string | null {
  return /^\*{3}(\d{6})\*{2}$/.exec(text.replace(/[.\-\s]/g, ''))?.[1] ?? null;
}

const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

const many = (text: string): string[] => distinct(text.split(';'));

/** The same key a second time gets a number, so that no entry hides another. */
function numbered(seen: Map<string, number>, key: string): string {
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  return count === 1 ? key : `${key}#${count}`;
}

/** `31/12/2025`; anything else (`Não informada`) is no date. */
function brazilianDate(text: string): string | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return match ? `${match[3] ?? ''}-${match[2] ?? ''}-${match[1] ?? ''}` : null;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12 Mar 1970` as a date, `Mar 1970` and `1970` as the year. */
function wordDate(text: string): string {
  const match = /^(?:(\d{1,2}) )?(?:([A-Z][a-z]{2}) )?(\d{4})$/.exec(text);
  if (!match) return '';
  const [, day, month, year] = match;
  const number = months.indexOf(month ?? '') + 1;
  return day === undefined || number === 0
    ? (year ?? '')
    : `${year ?? ''}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const countryNames: ReadonlyMap<string, string> = namesOfCountries();

function namesOfCountries(): Map<string, string> {
  const names = new Map<string, string>();
  for (const language of ['en', 'pt-BR']) {
    const inLanguage = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of countryCodes) names.set(folded(inLanguage.of(code) ?? code), code);
  }
  // As the United Nations and OFAC write them.
  for (const [name, code] of [
    ['democratic republic of the congo', 'CD'],
    ['congo democratic republic of the', 'CD'],
    ['democratic people s republic of korea', 'KP'],
    ['korea north', 'KP'],
    ['korea south', 'KR'],
    ['republic of korea', 'KR'],
    ['russian federation', 'RU'],
    ['iran islamic republic of', 'IR'],
    ['islamic republic of iran', 'IR'],
    ['syrian arab republic', 'SY'],
    ['united republic of tanzania', 'TZ'],
    ['libyan arab jamahiriya', 'LY'],
    ['burma', 'MM'],
    ['myanmar', 'MM'],
    ['cote d ivoire', 'CI'],
    ['state of palestine', 'PS'],
    ['palestinian', 'PS'],
    ['united states of america', 'US'],
    ['united kingdom of great britain and northern ireland', 'GB'],
    ['turkey', 'TR'],
    ['bosnia and herzegovina', 'BA'],
    ['trinidad and tobago', 'TT'],
    ['the gambia', 'GM'],
    ['venezuela bolivarian republic of', 'VE'],
  ] as const) {
    names.set(name, code);
  }
  return names;
}

/** The code of a country given by code or name; empty when it is none. */
function countryOf(text: string): string {
  const code = text.trim().toUpperCase();
  if (countryCodes.has(code)) return code;
  return countryNames.get(folded(text)) ?? '';
}
