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
  for (const communication of communications) writer.addOccurrence(communication);
  const bytes = latin1Bytes(writer.toXml(batchId(at)));
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
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found);

class BatchWriter {
  readonly problems: DraftProblem[] = [];
  private readonly lines: string[] = [];

  toXml(id: string): string {
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

  addOccurrence(one: Communication): void {
    const { institution } = one;
    const before = this.problems.length;
    this.openElement(tag.occurrence);
    this.writeTaxId(tag.institutionTaxId, institution.taxId, true);
    this.writeText(tag.number, one.number, 20);
    this.writeText(tag.from, siscoafDate(one.from), 10);
    this.writeText(tag.to, siscoafDate(one.to), 10);
    this.writeText(tag.branchNumber, institution.branchNumber, siscoafLimits.branchNumber);
    this.writeText(tag.branchName, institution.branchName, siscoafLimits.branchName);
    this.writeText(tag.branchCity, institution.city, siscoafLimits.city);
    if (institution.state !== null && !STATE.test(institution.state)) {
      this.reportProblem(tag.branchState, 'INVALID');
    }
    this.writeText(tag.branchState, institution.state, 2);
    this.writeAmounts(one);
    this.writeText(tag.details, one.details === '' ? null : one.details, siscoafLimits.details, true);
    this.writeCodes(one.codes);
    this.openElement(tag.parties);
    if (one.parties.length === 0) this.reportProblem(tag.party, 'MISSING');
    for (const party of one.parties) this.writeParty(party);
    this.closeElement(tag.parties);
    this.closeElement(tag.occurrence);
    // Reports each pair of field and problem once per communication.
    const ownProblems = this.problems.splice(before);
    const seenPeople = new Set<string>();
    for (const problem of ownProblems) {
      const name = `${problem.field}|${problem.code}`;
      if (!seenPeople.has(name)) this.problems.push(problem);
      seenPeople.add(name);
    }
  }

  private writeAmounts({ credit, debit, provision, proposal }: Communication): void {
    if ([credit, debit, provision, proposal].every(isZero)) this.reportProblem(tag.credit, 'MISSING');
    const amount = (name: string, value: string): void => {
      this.writeText(name, brazilianAmount(value, { points: false }), 20);
    };
    amount(tag.credit, credit);
    amount(tag.debit, debit);
    amount(tag.provision, provision);
    amount(tag.proposal, proposal);
  }

  private writeCodes(codes: readonly number[]): void {
    this.openElement(tag.codes);
    if (codes.length === 0) this.reportProblem(tag.code, 'MISSING');
    for (const code of codes) {
      const text = String(code);
      if (!CODE.test(text)) this.reportProblem(tag.code, 'INVALID');
      else if (occurrenceText(code) === null) this.reportProblem(tag.code, 'CODE_UNKNOWN');
      this.writeText(tag.code, text, 4);
    }
    this.closeElement(tag.codes);
  }

  private writeParty(one: InvolvedParty): void {
    this.openElement(tag.party);
    this.writeTaxId(tag.partyTaxId, one.taxId, true);
    this.writeText(tag.partyName, one.name, siscoafLimits.name, true);
    this.writeText(tag.partyRole, String(partyRoles[one.role].number), 2);
    this.writeText(tag.partyBranchNumber, one.branchNumber, siscoafLimits.branchNumber);
    this.writeText(tag.partyBranchName, one.branchName, siscoafLimits.branchName);
    this.writeText(tag.account, one.account, siscoafLimits.account);
    this.writeText(tag.accountOpenedOn, one.accountOpenedOn && siscoafDate(one.accountOpenedOn), 10);
    this.writeText(tag.profileUpdatedOn, one.profileUpdatedOn && siscoafDate(one.profileUpdatedOn), 10);
    this.writeFlag(tag.obliged, one.obliged);
    this.writeFlag(tag.pep, one.pep);
    this.writeFlag(tag.publicServant, one.publicServant);
    this.closeElement(tag.party);
  }

  /** Writes an unknown value as 0 and reports it as a problem: the format cannot express "not known". */
  private writeFlag(name: string, value: boolean | null): void {
    if (value === null) this.reportProblem(name, 'NOT_KNOWN');
    this.writeText(name, value === true ? '1' : '0', 1);
  }

  private writeTaxId(name: string, value: string | null, required: boolean): void {
    if (value !== null && !isTaxId(value)) this.reportProblem(name, 'INVALID');
    this.writeText(name, value, 14, required);
  }

  private writeText(name: string, value: string | null, max: number, required = false): void {
    const { text, replaced } = toLatin1(value ?? '');
    const trimmed = text.replace(/ {2,}/g, ' ').trim();
    if (replaced > 0) this.reportProblem(name, 'CHARACTERS_REPLACED');
    if (required && trimmed === '') this.reportProblem(name, 'MISSING');
    if (trimmed.length > max) this.reportProblem(name, 'TOO_LONG');
    const cut = trimmed.slice(0, max);
    this.lines.push(cut === '' ? `<${name}/>` : `<${name}>${escapeXml(cut)}</${name}>`);
  }

  private openElement(name: string): void {
    this.lines.push(`<${name}>`);
  }

  private closeElement(name: string): void {
    this.lines.push(`</${name}>`);
  }

  private reportProblem(field: string, code: DraftProblem['code']): void {
    this.problems.push({ field, code });
  }
}
