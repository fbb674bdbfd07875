import { csvRow } from '../../../../platform/kernel/csv/csv.js';
import { occurrenceText } from '../../data/siscoaf-codes.js';
import { investigatorColumns, partyRoles, segments } from '../../data/siscoaf-layout.js';
import { brazilianAmount, isZero, siscoafDate, sumOfAmounts, type Communication } from './communication.js';
import { latin1Bytes, toLatin1 } from '../../../../platform/kernel/values/latin-1.js';
import { punctuatedTaxId } from '../tax-id-text.js';

/** The three files in the format that investigators get: semicolons, CRLF, ISO-8859-1, `-` for an unknown value. */
export interface InvestigatorFiles {
  readonly communications: Buffer;
  readonly parties: Buffer;
  readonly occurrences: Buffer;
}

const NOT_KNOWN = '-';

/** Writes the three files. `Indexador`, the position of a communication, joins their lines. */
export function writeInvestigatorFiles(communications: readonly Communication[]): InvestigatorFiles {
  const index = communications.map((communication, i) => ({ indexer: String(i + 1), communication }));
  return {
    communications: writeCsv(
      investigatorColumns.communications,
      index.map(({ indexer, communication }) => communicationLine(indexer, communication)),
    ),
    parties: writeCsv(
      investigatorColumns.parties,
      index.flatMap(({ indexer, communication }) => partyLines(indexer, communication)),
    ),
    occurrences: writeCsv(
      investigatorColumns.occurrences,
      index.flatMap(({ indexer, communication }) =>
        communication.codes.map((code) => [indexer, String(code), occurrenceText(code)]),
      ),
    ),
  };
}

type Cell = string | null;

function writeCsv(columns: readonly string[], lines: readonly (readonly Cell[])[]): Buffer {
  const rows = [columns, ...lines].map((cells) => csvRow(cells.map(formatCell), ';'));
  return latin1Bytes(rows.join(''));
}

function formatCell(cell: Cell): string {
  const text = toLatin1(cell ?? '')
    .text.replace(/ {2,}/g, ' ')
    .trim();
  return text === '' ? NOT_KNOWN : text;
}

function communicationLine(indexer: string, one: Communication): Cell[] {
  const { institution, filing, credit, debit, provision, proposal } = one;
  return [
    indexer,
    filing?.number ?? null,
    null,
    filing && siscoafDate(filing.receivedOn),
    siscoafDate(one.from),
    siscoafDate(one.to),
    institution.taxId && punctuatedTaxId(institution.taxId),
    institution.name,
    institution.city,
    institution.state,
    institution.branchName,
    institution.branchNumber,
    one.details,
    money(sumOfAmounts([credit, debit, provision, proposal])),
    money(credit),
    money(debit),
    money(provision),
    money(proposal),
    String(segments[one.kind]),
  ];
}

const partyLines = (indexer: string, { parties }: Communication): Cell[][] =>
  parties.map((party) => [
    indexer,
    party.taxId && punctuatedTaxId(party.taxId),
    party.name,
    partyRoles[party.role].label,
    party.branchNumber,
    party.account,
    party.accountOpenedOn && siscoafDate(party.accountOpenedOn),
    party.profileUpdatedOn && siscoafDate(party.profileUpdatedOn),
    flag(party.pep),
    flag(party.obliged),
    flag(party.publicServant),
  ]);

const money = (decimal: string): string =>
  isZero(decimal) ? '0' : brazilianAmount(decimal, { points: true });

const flag = (value: boolean | null): Cell => (value === null ? null : value ? 'Sim' : 'Não');
