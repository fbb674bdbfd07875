import type { CalendarDay } from '../../../../platform/kernel/values/local-day.js';
import type { CommunicationKind, SiscoafRole } from '../../data/siscoaf-layout.js';

export interface Institution {
  readonly taxId: string | null;
  readonly name: string | null;
  readonly branchNumber: string | null;
  readonly branchName: string | null;
  readonly city: string | null;
  readonly state: string | null;
}

/** A person or company involved in a communication. */
export interface InvolvedParty {
  /** CPF or CNPJ without punctuation; null if not known in full. */
  readonly taxId: string | null;
  readonly name: string | null;
  readonly role: SiscoafRole;
  readonly branchNumber: string | null;
  readonly branchName: string | null;
  readonly account: string | null;
  readonly accountOpenedOn: CalendarDay | null;
  readonly profileUpdatedOn: CalendarDay | null;
  /** Null means not known, which differs from false. */
  readonly pep: boolean | null;
  readonly obliged: boolean | null;
  readonly publicServant: boolean | null;
}

/** The content of one communication to COAF. Amounts are exact decimals in reais. */
export interface Communication {
  readonly kind: CommunicationKind;
  /** Our own number of the communication (`communicationNumberOf`): digits. */
  readonly number: string;
  readonly institution: Institution;
  readonly from: CalendarDay;
  readonly to: CalendarDay;
  readonly credit: string;
  readonly debit: string;
  readonly provision: string;
  readonly proposal: string;
  readonly details: string;
  readonly codes: readonly number[];
  readonly parties: readonly InvolvedParty[];
  /** The receipt of Siscoaf, once the communication was filed. */
  readonly filing: { readonly number: string; readonly receivedOn: CalendarDay } | null;
}

/** The communications of a year in Brazil, and the deadline to declare that there were none. */
export interface CommunicationYear {
  readonly year: number;
  readonly counts: readonly {
    readonly kind: CommunicationKind;
    readonly drafted: number;
    readonly filed: number;
  }[];
  readonly noOccurrence: boolean;
  readonly statementDueAt: string;
}

/** Formats a day as `31/12/2026`. */
export const siscoafDate = ({ day, month, year }: CalendarDay): string =>
  `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}/${String(year).padStart(4, '0')}`;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Sums exact decimals. The result has at least two decimals. */
export function sumOfAmounts(amounts: readonly string[]): string {
  let scale = 2;
  const parts = amounts.map((amount) => {
    const [, whole = '0', fraction = ''] = DECIMAL.exec(amount) ?? [];
    scale = Math.max(scale, fraction.length);
    return { whole, fraction };
  });
  const total = parts.reduce(
    (sum, { whole, fraction }) => sum + BigInt(whole + fraction.padEnd(scale, '0')),
    0n,
  );
  const digits = total.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Formats an amount in reais: `270.000,00`, or `270000,00` without points. Further decimals are cut off. */
export function brazilianAmount(decimal: string, { points }: { readonly points: boolean }): string {
  const [, whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const grouped = points ? whole.replace(/\B(?=(\d{3})+$)/g, '.') : whole;
  return `${grouped},${fraction.padEnd(2, '0').slice(0, 2)}`;
}

export const isZero = (decimal: string): boolean => /^[0.]*$/.test(decimal);
