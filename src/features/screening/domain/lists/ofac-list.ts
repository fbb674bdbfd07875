import type { ListedValue, ListEntry } from './list-entry.js';
import type { NameKind } from '../names/normalise.js';
import {
  FormatMismatchError,
  readCsvRecords,
  type DroppedField,
} from '../../../../platform/kernel/csv/csv-table.js';
import { decodeText } from '../../../../platform/kernel/csv/decode-text.js';
import {
  parseBirthDates,
  parseCountries,
  distinct,
  distinctValues,
  parseIdentifiers,
  emptyFields,
  readBirth,
  type ListFiles,
  type ParsedRecord,
  type ReportDroppedField,
} from './list-values.js';

const OFAC_NULL = '-0-';
const ofacField = (fields: readonly string[], i: number): string => {
  const text = (fields[i] ?? '').trim();
  return text === OFAC_NULL ? '' : text;
};

const NO_ENTRY = /^(?!\d+$)/;
const COLUMNS = 12;
const MAX_REMARKS = 1_000;

interface Alias {
  readonly name: string;
  readonly line: number;
}

/** Reads OFAC SDN: the list, and its aliases in a second file. Neither has a header line. */
export async function* ofacEntries({ main, aliases }: ListFiles): AsyncGenerator<ParsedRecord> {
  const aliasesById = new Map<string, Alias[]>();
  const claimed = new Set<string>();
  if (aliases) {
    for await (const record of readCsvRecords(decodeText(aliases), ',')) {
      const { line } = record;
      if ('problem' in record) {
        yield { line, problem: `ALIAS_${record.problem}` };
        continue;
      }
      if (isEndOfFile(record.value)) continue;
      const id = ofacField(record.value, 0);
      const name = ofacField(record.value, 3);
      if (NO_ENTRY.test(id) || name === '') yield { line, problem: 'ALIAS_UNREADABLE' };
      else aliasesById.set(id, [...(aliasesById.get(id) ?? []), { name, line }]);
    }
  }
  let recordCount = 0;
  for await (const record of readCsvRecords(decodeText(main), ',')) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: fields } = record;
    if (isEndOfFile(fields)) continue;
    const id = ofacField(fields, 0);
    const name = ofacField(fields, 1);
    if (NO_ENTRY.test(id) || name === '' || fields.length < 4) {
      if (recordCount === 0 && line > 20) throw new FormatMismatchError(['ent_num', 'SDN_Name']);
      yield { line, problem: fields.length < 4 ? 'TOO_FEW_COLUMNS' : 'ENTRY_UNREADABLE' };
      continue;
    }
    recordCount += 1;
    const knownAliases = aliasesById.get(id) ?? [];
    const dropped: DroppedField[] = [];
    const note: ReportDroppedField = (column, problem) => dropped.push({ line, column, problem });
    if (fields.slice(COLUMNS).some((field) => field.trim() !== '')) {
      note(String(COLUMNS + 1), 'TOO_MANY_COLUMNS');
    }
    yield { line, value: ofacEntry(id, name, knownAliases, fields, note), dropped };
    if (knownAliases.length > 0 && !claimed.has(id)) yield { merged: knownAliases.length };
    claimed.add(id);
  }
  if (recordCount === 0) throw new FormatMismatchError(['ent_num', 'SDN_Name']);
  for (const [id, lost] of aliasesById) {
    if (!claimed.has(id)) for (const { line } of lost) yield { line, problem: 'ALIAS_OF_NO_ENTRY' };
  }
}

function ofacEntry(
  key: string,
  name: string,
  aliases: readonly Alias[],
  fields: readonly string[],
  note: ReportDroppedField,
): ListEntry {
  const remarks = ofacField(fields, 11);
  // OFAC cuts off longer remarks.
  if (remarks.length >= MAX_REMARKS) note('Remarks', 'REMARKS_CUT');
  const parts = partsOf(remarks);
  return {
    ...emptyFields,
    key,
    kind: ofacKind(ofacField(fields, 2)),
    names: distinct([name, ...aliases.map((alias) => alias.name), ...parts.flatMap(ofacNames)]),
    values: distinctValues([
      ...parseIdentifiers(ofacField(fields, 5)),
      ...parts.flatMap((part) => ofacValues(part, note)),
    ]),
    birthDates: parseBirthDates(partsWithLabel(parts, 'DOB ').flatMap(readBirth), 'Remarks', note),
    countries: parseCountries(
      [...partsWithLabel(parts, 'nationality '), ...partsWithLabel(parts, 'citizen ')],
      'Remarks',
      note,
    ),
    remarks: ofacField(fields, 3) || null,
  };
}

// True for the last line of an OFAC file, which contains only a control character.
const isEndOfFile = (fields: readonly string[]): boolean =>
  fields.length === 1 && fields[0]?.trim() === '\u001a';

function ofacKind(type: string): NameKind {
  if (type === 'individual') return 'PERSON';
  return type === 'vessel' || type === 'aircraft' ? 'OTHER' : 'ORGANISATION';
}

const WALLET = /^Digital Currency Address - \S+ (\S+)$/;
// The number follows its label, and the issuer follows the number in brackets.
const NUMBERED =
  /^(?:.*?(?:Passport|No\.?|Number|#|Cartilla|Card|Licen[cs]e|ID|R\.F\.C\.|C\.U\.R\.P\.|D\.N\.I\.|C\.U\.I\.T?\.?|C\.I\.F\.|I\.F\.E\.|FEIN|Identidad|electoral|Fiscal Code|Serial Identification|\((?:USCCC?|NUIT)\)|R\.T\.N\.|RTN|RUC|RIF|NIT|CUIT|SSN|BIC|BIK|MMSI|IMO))(?: \((?:MSN|also called [^)]*)\))? (.+?)(?: \(.*\))?$/;
const OTHER_LABELS =
  /^(?:DOB|POB|nationality|citizen|Gender|Linked To|Telephone|Phone|Fax|Email|Website|Additional|Secondary|Executive|Transactions|Vessel (?:Type|Year|Flag|Owner)|Former|Organization|Aircraft M(?:odel|ode S)|Aircraft Manufacture Date|Aircraft Operator|Effective|Listing|Issuer|Target|Equity|Complexion|Height|Weight|Hair|Eye)/;

/** Returns the parts of the remarks, without the prefix `alt. `. */
const partsOf = (remarks: string): string[] =>
  remarks.split(';').map((part) => {
    const text = part.trim();
    return text.slice(/^alt\. /i.test(text) ? 5 : 0, text.endsWith('.') ? -1 : undefined);
  });

const partsWithLabel = (parts: readonly string[], label: string): string[] =>
  parts.filter((part) => part.startsWith(label)).map((part) => part.slice(label.length));

/** Returns other names that the remarks give: `a.k.a. 'ABU-'UMAR'`. */
const ofacNames = (part: string): string[] =>
  part.startsWith('.k.a. ', 1) ? (/^[afn]\.k\.a\. '(.+)'$/.exec(part)?.slice(1) ?? []) : [];

/** Returns the wallet, passport, tax number or registration that a part of the remarks names. */
function ofacValues(part: string, note: ReportDroppedField): ListedValue[] {
  const wallet = WALLET.exec(part)?.[1];
  if (wallet !== undefined) return [{ type: 'WALLET', value: wallet }];
  if (part.startsWith('Digital Currency')) note('Remarks', 'WALLET_UNREADABLE');
  if (OTHER_LABELS.test(part)) return [];
  const number = NUMBERED.exec(part)?.[1];
  return number === undefined ? [] : parseIdentifiers(number);
}
