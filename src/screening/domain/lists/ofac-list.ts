import type { ListedValue, ListEntry } from './list-entry.js';
import type { NameKind } from '../names/normalise.js';
import { csvRecords, textOf, type Read } from './text-records.js';
import {
  countryOf,
  distinct,
  distinctValues,
  identifierOf,
  NotThisFormat,
  nothing,
  wordDate,
  yearsAround,
  yearsBetween,
  type ListFiles,
} from './list-values.js';

const OFAC_NULL = '-0-';
const ofacField = (fields: readonly string[], i: number): string => {
  const text = (fields[i] ?? '').trim();
  return text === OFAC_NULL ? '' : text;
};

/** OFAC SDN: the list and, in a file of their own, the aliases. Neither has a header line. */
export async function* ofacEntries({ main, aliases }: ListFiles): AsyncGenerator<Read<ListEntry>> {
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
        values: distinctValues([...callSignOf(ofacField(fields, 5)), ...ofacValues(remarks)]),
        birthDates: distinct(
          [...remarks.matchAll(/\bDOB ([^;]+)/g)].flatMap((match) => ofacBirth(match[1] ?? '')),
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

const callSignOf = (text: string): ListedValue[] => identifierOf(text);

/** `12 Mar 1970`, `circa 1970`, `1970 to 1972`: a date, or the years that may be meant. */
function ofacBirth(text: string): string[] {
  const plain = text.replace(/\.$/, '').trim();
  const years = [...plain.matchAll(/\b(\d{4})\b/g)].map((match) => Number(match[1]));
  const [first = 0, last = first] = years;
  if (years.length === 0) return [];
  if (years.length > 1) return yearsBetween(first, last);
  if (plain.startsWith('circa')) return yearsAround(first);
  return [wordDate(plain)];
}

const WALLET = /^Digital Currency Address - \S+ (\S+)$/;
// The number stands behind its label, and whoever gave it out in brackets behind the number.
const NUMBERED =
  /^(?:.*?(?:Passport|No\.?|Number|#|Cartilla|Card|Licen[cs]e|ID|R\.F\.C\.|C\.U\.R\.P\.|R\.T\.N\.|RTN|RUC|RIF|NIT|CUIT|SSN|BIC|BIK|MMSI|IMO))(?: \((?:MSN|also called [^)]*)\))? (.+?)(?: \(.*\))?$/;
const OTHER_LABELS =
  /^(?:DOB|POB|nationality|citizen|Gender|Linked To|Telephone|Phone|Fax|Email|Website|Additional|Secondary|Executive|Transactions|Vessel (?:Type|Year|Flag|Owner)|Former|Organization|Aircraft M(?:odel|ode S)|Aircraft Manufacture Date|Aircraft Operator|Effective|Listing|Issuer|Target|Equity|Complexion|Height|Weight|Hair|Eye)/;

/** The wallets, passports, tax numbers and registrations that the remarks name. */
function ofacValues(remarks: string): ListedValue[] {
  return remarks.split(';').flatMap((part) => {
    const text = part
      .trim()
      .replace(/^(?:alt|Alt)\. /, '')
      .replace(/\.$/, '');
    const wallet = WALLET.exec(text)?.[1];
    if (wallet !== undefined) return [{ type: 'WALLET', value: wallet } as const];
    if (OTHER_LABELS.test(text)) return [];
    const number = NUMBERED.exec(text)?.[1];
    return number === undefined ? [] : identifierOf(number);
  });
}
