import { FormatMismatchError } from '../../../../platform/kernel/csv/csv-table.js';
import type { ListEntry } from './list-entry.js';
import { decodeText, type Bytes } from '../../../../platform/kernel/csv/decode-text.js';
import { readXmlRecords, type XmlElement } from './text-records.js';
import {
  parseBirthDates,
  parseCountries,
  distinct,
  distinctValues,
  toEntries,
  parseIdentifiers,
  emptyFields,
  readBirth,
  yearsAround,
  yearsBetween,
  type ParsedRecord,
  type ReportDroppedField,
} from './list-values.js';

/** Reads the consolidated list of the United Nations Security Council. */
export async function* unEntries(bytes: Bytes): AsyncGenerator<ParsedRecord> {
  let recordCount = 0;
  const elements = readXmlRecords(decodeText(bytes), ['INDIVIDUAL', 'ENTITY']);
  yield* toEntries(elements, (element, note) => {
    recordCount += 1;
    return unEntry(element, note);
  });
  if (recordCount === 0) throw new FormatMismatchError(['INDIVIDUAL', 'ENTITY']);
}

function unEntry(element: XmlElement, note: ReportDroppedField): ListEntry | string {
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
    ...emptyFields,
    key,
    kind: person ? 'PERSON' : 'ORGANISATION',
    names: distinct([name, textIn(element, 'NAME_ORIGINAL_SCRIPT'), ...aliases]),
    values: distinctValues(
      childrenOf(element, `${element.name}_DOCUMENT`).flatMap((document) =>
        parseIdentifiers(textIn(document, 'NUMBER')),
      ),
    ),
    birthDates: parseBirthDates(
      childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap(unBirth),
      'INDIVIDUAL_DATE_OF_BIRTH',
      note,
    ),
    countries: parseCountries(
      childrenOf(element, 'NATIONALITY').flatMap((nationality) =>
        childrenOf(nationality, 'VALUE').map(({ text }) => text),
      ),
      'NATIONALITY',
      note,
    ),
    remarks: textIn(element, 'UN_LIST_TYPE') || null,
  };
}

/** Reads a date of birth: EXACT, APPROXIMATELY (the years around it) or BETWEEN two years. */
function unBirth(date: XmlElement): string[] {
  const day = textIn(date, 'DATE').slice(0, 10);
  const year = textIn(date, 'YEAR') || day.slice(0, 4);
  switch (textIn(date, 'TYPE_OF_DATE')) {
    case 'BETWEEN':
      return yearsBetween(Number(textIn(date, 'FROM_YEAR')), Number(textIn(date, 'TO_YEAR')));
    case 'APPROXIMATELY':
      return yearsAround(Number(year));
    default:
      return readBirth(day || year);
  }
}

const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

const textIn = (element: XmlElement, name: string): string =>
  (childrenOf(element, name)[0]?.text ?? '').replace(/\s+/g, ' ').trim();
