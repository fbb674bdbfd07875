import { table } from '../../../../platform/kernel/table.js';
import { isTaxId } from '../tax-id-text.js';
import { occurrenceText } from '../../data/siscoaf-codes.js';
import { DRAFT_NOTICE, partyRoles, siscoafLimits, siscoafTags as tag } from '../../data/siscoaf-layout.js';
import {
  brazilianAmount,
  isZero,
  siscoafDate,
  type Communication,
  type InvolvedParty,
} from './communication.js';
import { latin1Bytes, toLatin1 } from '../../../../platform/kernel/values/latin-1.js';

/** A problem of a draft that an analyst must resolve before filing. */
export interface DraftProblem {
  /** The name of the element in the file. */
  readonly field: string;
  readonly code: DraftProblemCode;
}

export const draftProblemCodes = [
  'MISSING',
  'INVALID',
  'TOO_LONG',
  'TOO_LARGE',
  'CODE_UNKNOWN',
  'CHARACTERS_REPLACED',
  'NOT_KNOWN',
] as const;
export type DraftProblemCode = (typeof draftProblemCodes)[number];

export interface SiscoafDraft {
  /** ISO-8859-1. */
  readonly bytes: Buffer;
  readonly problems: readonly DraftProblem[];
}

/** Writes a batch file with one occurrence per communication, dated at the given local time, and lists its problems. */
export function writeSiscoafXml(communications: readonly Communication[], at: LocalDateTime): SiscoafDraft {
  const writer = new BatchWriter();
  for (const communication of communications) writer.occurrence(communication);
  const bytes = latin1Bytes(writer.file(batchId(at)));
  const problems = [...writer.problems];
  if (bytes.length > siscoafLimits.bytes) problems.push({ field: tag.batch, code: 'TOO_LARGE' });
  return { bytes, problems };
}

/** A local date and time; `month` is 1 to 12. */
export interface LocalDateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns the id of a batch: `SISCOAFddmmaaaahhmmss`. */
export function batchId({ year, month, day, hour, minute, second }: LocalDateTime): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `SISCOAF${two(day)}${two(month)}${String(year).padStart(4, '0')}${two(hour)}${two(minute)}${two(second)}`;
}

const CODE = /^\d{4}$/;
const STATE = /^[A-Z]{2}$/;
const ESCAPES: Readonly<Record<string, string>> = table({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
});
const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found);

class BatchWriter {
  readonly problems: DraftProblem[] = [];
  private readonly lines: string[] = [];

  file(id: string): string {
    return [
      '<?xml version="1.0" encoding="ISO-8859-1"?>',
      `<!-- ${DRAFT_NOTICE} -->`,
      `<${tag.batch}>`,
      `<${tag.occurrences} ${tag.batchId}="${id}">`,
      ...this.lines,
      `</${tag.occurrences}>`,
      `</${tag.batch}>`,
      '',
    ].join('\r\n');
  }

  occurrence(one: Communication): void {
    const { institution } = one;
    const before = this.problems.length;
    this.open(tag.occurrence);
    this.taxId(tag.institutionTaxId, institution.taxId, true);
    this.text(tag.number, one.number, 20);
    this.text(tag.from, siscoafDate(one.from), 10);
    this.text(tag.to, siscoafDate(one.to), 10);
    this.text(tag.branchNumber, institution.branchNumber, siscoafLimits.branchNumber);
    this.text(tag.branchName, institution.branchName, siscoafLimits.branchName);
    this.text(tag.branchCity, institution.city, siscoafLimits.city);
    if (institution.state !== null && !STATE.test(institution.state)) {
      this.problem(tag.branchState, 'INVALID');
    }
    this.text(tag.branchState, institution.state, 2);
    this.amounts(one);
    this.text(tag.details, one.details === '' ? null : one.details, siscoafLimits.details, true);
    this.codes(one.codes);
    this.open(tag.parties);
    if (one.parties.length === 0) this.problem(tag.party, 'MISSING');
    for (const party of one.parties) this.party(party);
    this.close(tag.parties);
    this.close(tag.occurrence);
    // Reports each pair of field and problem once per communication.
    const own = this.problems.splice(before);
    const seen = new Set<string>();
    for (const problem of own) {
      const name = `${problem.field}|${problem.code}`;
      if (!seen.has(name)) this.problems.push(problem);
      seen.add(name);
    }
  }

  private amounts({ credit, debit, provision, proposal }: Communication): void {
    if ([credit, debit, provision, proposal].every(isZero)) this.problem(tag.credit, 'MISSING');
    const amount = (name: string, value: string): void => {
      this.text(name, brazilianAmount(value, { points: false }), 20);
    };
    amount(tag.credit, credit);
    amount(tag.debit, debit);
    amount(tag.provision, provision);
    amount(tag.proposal, proposal);
  }

  private codes(codes: readonly number[]): void {
    this.open(tag.codes);
    if (codes.length === 0) this.problem(tag.code, 'MISSING');
    for (const code of codes) {
      const text = String(code);
      if (!CODE.test(text)) this.problem(tag.code, 'INVALID');
      else if (occurrenceText(code) === null) this.problem(tag.code, 'CODE_UNKNOWN');
      this.text(tag.code, text, 4);
    }
    this.close(tag.codes);
  }

  private party(one: InvolvedParty): void {
    this.open(tag.party);
    this.taxId(tag.partyTaxId, one.taxId, true);
    this.text(tag.partyName, one.name, siscoafLimits.name, true);
    this.text(tag.partyRole, String(partyRoles[one.role].number), 2);
    this.text(tag.partyBranchNumber, one.branchNumber, siscoafLimits.branchNumber);
    this.text(tag.partyBranchName, one.branchName, siscoafLimits.branchName);
    this.text(tag.account, one.account, siscoafLimits.account);
    this.text(tag.accountOpenedOn, one.accountOpenedOn && siscoafDate(one.accountOpenedOn), 10);
    this.text(tag.profileUpdatedOn, one.profileUpdatedOn && siscoafDate(one.profileUpdatedOn), 10);
    this.flag(tag.obliged, one.obliged);
    this.flag(tag.pep, one.pep);
    this.flag(tag.publicServant, one.publicServant);
    this.close(tag.party);
  }

  /** Writes an unknown value as 0 and reports it as a problem: the format cannot express "not known". */
  private flag(name: string, value: boolean | null): void {
    if (value === null) this.problem(name, 'NOT_KNOWN');
    this.text(name, value === true ? '1' : '0', 1);
  }

  private taxId(name: string, value: string | null, required: boolean): void {
    if (value !== null && !isTaxId(value)) this.problem(name, 'INVALID');
    this.text(name, value, 14, required);
  }

  private text(name: string, value: string | null, max: number, required = false): void {
    const { text, replaced } = toLatin1(value ?? '');
    const trimmed = text.replace(/ {2,}/g, ' ').trim();
    if (replaced > 0) this.problem(name, 'CHARACTERS_REPLACED');
    if (required && trimmed === '') this.problem(name, 'MISSING');
    if (trimmed.length > max) this.problem(name, 'TOO_LONG');
    const cut = trimmed.slice(0, max);
    this.lines.push(cut === '' ? `<${name}/>` : `<${name}>${escaped(cut)}</${name}>`);
  }

  private open(name: string): void {
    this.lines.push(`<${name}>`);
  }

  private close(name: string): void {
    this.lines.push(`</${name}>`);
  }

  private problem(field: string, code: DraftProblem['code']): void {
    this.problems.push({ field, code });
  }
}
