import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsInt,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { WhyBody } from '../../customers/index.js';
import { Check, Field, createFault, View } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import type { CalendarDay } from '../../../platform/kernel/values/local-day.js';
import { occurrenceText } from '../data/siscoaf-codes.js';
import { partyRoles, siscoafLimits, type SiscoafRole } from '../data/siscoaf-layout.js';
import type { EditedCommunication, CommunicationEditRequest } from '../coaf/coaf-edits.service.js';
import type { InvolvedParty } from '../domain/coaf/communication.js';
import { editable, type EditedParty } from '../domain/coaf/editing.js';
import { filingStatuses, type FilingStatus } from '../domain/coaf/filing.js';
import { isTaxId } from '../domain/tax-id-text.js';

const roles = Object.keys(partyRoles) as SiscoafRole[];
const DAY = { max: 10, form: 'a day, YYYY-MM-DD', format: 'date', example: '2026-11-20' } as const;
const DAY_PATTERN = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const AMOUNT = { max: 16, pattern: /^\d{1,13}(\.\d{1,2})?$/, form: 'an exact decimal in reais' } as const;
const NOT_A_TAX_ID = createFault('PATTERN_MISMATCH', 'Must be a full CPF or CNPJ with its check digits.');
const NO_DAY = createFault('PATTERN_MISMATCH', 'There is no such day.');

const isDay = (text: unknown): boolean => {
  if (typeof text !== 'string' || !DAY_PATTERN.test(text)) return true;
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
};
const checkDay = (value: unknown): ReturnType<typeof createFault> | null => (isDay(value) ? null : NO_DAY);

export class EditedPartyBody {
  @Field.integer('Somebody who is there, counted from 1. Left out for somebody new.', {
    min: 1,
    max: 1_000,
    optional: 'not null',
    example: 1,
  })
  position?: number;

  @Field.text('CPF or CNPJ; left out it stays.', { max: 18, optional: 'not null', example: '529.982.247-25' })
  @Check('tax-id', (value) => (typeof value === 'string' && !isTaxId(value) ? NOT_A_TAX_ID : null))
  taxId?: string;

  @Field.text('The name of the party.', {
    max: siscoafLimits.name,
    optional: 'not null',
    example: 'Maria Exemplo',
  })
  name?: string;
  @Field.enum(roles, 'What the party is in it.', { optional: 'not null', example: 'HOLDER' })
  role?: SiscoafRole;
  @Field.text('The account, as it was given.', {
    max: siscoafLimits.account,
    optional: 'not null',
    example: '12345-6',
  })
  account?: string;
  @Field.text('The number of the branch.', {
    max: siscoafLimits.branchNumber,
    optional: 'not null',
    example: '0001',
  })
  branchNumber?: string;
  @Field.text('The name of the branch.', {
    max: siscoafLimits.branchName,
    optional: 'not null',
    example: 'Matriz',
  })
  branchName?: string;

  @Field.text('When the account was opened.', { ...DAY, pattern: DAY_PATTERN, optional: 'not null' })
  @Check('day', checkDay)
  accountOpenedOn?: string;

  @Field.text('When the register was last brought up to date.', {
    ...DAY,
    pattern: DAY_PATTERN,
    optional: 'not null',
  })
  @Check('day', checkDay)
  profileUpdatedOn?: string;

  @Field.flag('Politically exposed.', { optional: 'not null', example: false }) pep?: boolean;
  @Field.flag('Obliged to communicate itself.', { optional: 'not null', example: false }) obliged?: boolean;
  @Field.flag('Whether the party is a public servant.', { optional: 'not null', example: false })
  publicServant?: boolean;
}

class CommunicationChangeBody {
  @Field.integer('The revision that was read: whoever edits an older one gets STATE_CONFLICT.', {
    min: 0,
    max: 1_000_000,
    example: 0,
  })
  revision: number;

  @ApiPropertyOptional({ type: [Number], example: [1161], description: 'All of them, by Siscoaf code.' })
  @ValidateIf(({ codes }: CommunicationChangeBody) => codes !== undefined)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1_000, { each: true })
  @Max(9_999, { each: true })
  codes?: number[];

  @Field.text('The narrative.', {
    max: siscoafLimits.details,
    optional: 'not null',
    example: 'Recebeu e transferiu.',
  })
  details?: string;

  @Field.text('The first day.', { ...DAY, pattern: DAY_PATTERN, optional: 'not null' })
  @Check('day', checkDay)
  from?: string;

  @Field.text('The last day.', { ...DAY, pattern: DAY_PATTERN, optional: 'not null' })
  @Check('day', checkDay)
  to?: string;

  @Field.text('What came in.', { ...AMOUNT, optional: 'not null', example: '270000.00' }) credit?: string;
  @Field.text('What went out.', { ...AMOUNT, optional: 'not null', example: '0.00' }) debit?: string;
  @Field.text('The amount in view.', { ...AMOUNT, optional: 'not null', example: '0.00' }) provision?: string;
  @Field.text('What is proposed to the authority.', { ...AMOUNT, optional: 'not null', example: '0.00' })
  proposal?: string;

  @Field.list(
    () => EditedPartyBody,
    'All people from then on. Whoever is not named by position is taken out.',
    {
      min: 1,
      maxItems: 1_000,
      optional: 'not null',
    },
  )
  parties?: EditedPartyBody[];
}

export class EditCommunicationBody extends IntersectionType(CommunicationChangeBody, WhyBody) {}

const dayOf = (text: string): CalendarDay => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
};
const textOf = ({ year, month, day }: CalendarDay): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const canonical = (text: string): string => {
  const parsed = TaxId.parse(text);
  return parsed.ok ? parsed.id.canonical() : text;
};

function partyOf(body: EditedPartyBody): EditedParty {
  const { position, taxId, accountOpenedOn, profileUpdatedOn, ...same } = body;
  // A field that the request leaves out is present as undefined.
  const partyMembers = Object.fromEntries(
    Object.entries(same).filter(([, value]: [string, unknown]) => value !== undefined),
  );
  return {
    ...partyMembers,
    position: position ?? null,
    ...(taxId !== undefined && { taxId: canonical(taxId) }),
    ...(accountOpenedOn !== undefined && { accountOpenedOn: dayOf(accountOpenedOn) }),
    ...(profileUpdatedOn !== undefined && { profileUpdatedOn: dayOf(profileUpdatedOn) }),
  };
}

export function editRequestOf(body: EditCommunicationBody): CommunicationEditRequest {
  const { revision, reason, from, to, parties, codes, details, credit, debit, provision, proposal } = body;
  return {
    revision,
    reason,
    parties: parties?.map(partyOf),
    change: {
      ...(codes && { codes: codes.toSorted((a, b) => a - b) }),
      ...(details !== undefined && { details }),
      ...(from !== undefined && { from: dayOf(from) }),
      ...(to !== undefined && { to: dayOf(to) }),
      ...(credit !== undefined && { credit }),
      ...(debit !== undefined && { debit }),
      ...(provision !== undefined && { provision }),
      ...(proposal !== undefined && { proposal }),
    },
  };
}

export class CommunicationCodeView {
  @View.integer('The code of the occurrence in Siscoaf.', { example: 1161 }) code: number;
  @View.textOrNull('What the code says; null for one that the table does not know.') text: string | null;
}

export class CommunicationPartyView {
  @View.integer('The place in the order.', { example: 1 }) position: number;
  @View.textOrNull('In full in the files of the communication.', { example: '***.982.247-**' })
  documentMasked: string | null;

  @View.textOrNull('The name of the party.', { example: 'Maria Exemplo' }) name: string | null;
  @View.enum(roles, 'What the party is in it.', { example: 'HOLDER' }) role: string;
  @View.text('What the party is in it, in words.', { example: 'Titular' }) roleText: string;
  @View.textOrNull('The account, as it was given.', { example: '12345-6' }) account: string | null;
  @View.textOrNull('The number of the branch.', { example: null }) branchNumber: string | null;
  @View.textOrNull('The name of the branch.', { example: null }) branchName: string | null;
  @View.textOrNull('The day on which the account was opened.', { format: 'date', example: null })
  accountOpenedOn: string | null;
  @View.textOrNull('The day on which the profile was last brought up to date.', {
    format: 'date',
    example: null,
  })
  profileUpdatedOn: string | null;
  @View.flagOrNull('Null: not known, which is not no.', { example: null }) pep: boolean | null;
  @View.flagOrNull('Whether the party has duties of its own towards COAF.', { example: null }) obliged:
    boolean | null;
  @View.flagOrNull('Whether the party is a public servant.', { example: null }) publicServant: boolean | null;

  static of(party: InvolvedParty, at: number): CommunicationPartyView {
    const parsed = party.taxId === null ? null : TaxId.parse(party.taxId);
    const { name, role, account, branchNumber, branchName, pep, obliged, publicServant } = party;
    return {
      ...{ position: at + 1, name, role, account, branchNumber, branchName, pep, obliged, publicServant },
      documentMasked: parsed?.ok === true ? parsed.id.maskedText : null,
      roleText: partyRoles[role].label,
      accountOpenedOn: party.accountOpenedOn && textOf(party.accountOpenedOn),
      profileUpdatedOn: party.profileUpdatedOn && textOf(party.profileUpdatedOn),
    };
  }
}

export class CommunicationEditView {
  @View.integer('Counts the edits from 1.', { example: 1 }) revision: number;
  @View.id('opr', 'Who edited it.') editedBy: string;
  @View.instant('When it was edited.') editedAt: string;
  @View.enums(editable, 'The names of the fields.', { example: ['codes'] }) fields: readonly string[];
  @View.text('The reason that was given.', { example: 'The second code was missing.' }) reason: string;
}

export class CommunicationContentView {
  @View.id('com', 'The id of the communication.') id: string;
  @View.enum(filingStatuses, 'The status of the communication.', { example: 'DRAFT' }) status: FilingStatus;
  @View.integer('Grows with every edit.', { example: 0 }) revision: number;

  @View.enums(editable, 'Still as drafted from what is stored: nobody has confirmed them by an edit.', {
    example: ['details'],
  })
  drafted: readonly string[];

  @View.textOrNull('The first day or instant that is looked at.', { format: 'date', example: '2026-11-01' })
  from: string | null;
  @View.textOrNull('The end of what is looked at.', { format: 'date', example: '2026-11-20' }) to:
    string | null;
  @View.textOrNull('What came in.', { example: '270000.00' }) credit: string | null;
  @View.textOrNull('What went out.', { example: '0.00' }) debit: string | null;
  @View.textOrNull('The amount in view.', { example: '0' }) provision: string | null;
  @View.textOrNull('What is proposed to the authority.', { example: '0' }) proposal: string | null;
  @View.textOrNull('The narrative. Null with the rest when the person was erased.') details: string | null;
  @View.list(CommunicationCodeView, 'The codes that were found.') codes: readonly CommunicationCodeView[];
  @View.list(CommunicationPartyView, 'The parties: people and companies.')
  parties: readonly CommunicationPartyView[];
  @View.list(CommunicationEditView, 'The oldest first.') edits: readonly CommunicationEditView[];

  static of({ row, content, edits, drafted }: EditedCommunication): CommunicationContentView {
    return {
      id: publicId('com', row.id),
      status: row.status,
      revision: row.revision,
      drafted,
      from: content && textOf(content.from),
      to: content && textOf(content.to),
      credit: content?.credit ?? null,
      debit: content?.debit ?? null,
      provision: content?.provision ?? null,
      proposal: content?.proposal ?? null,
      details: content?.details ?? null,
      codes: (content?.codes ?? []).map((code) => ({ code, text: occurrenceText(code) })),
      parties: (content?.parties ?? []).map((party, at) => CommunicationPartyView.of(party, at)),
      edits: edits.map(({ revision, editedBy, editedAt, fields, reason }) => ({
        ...{ revision, fields, reason },
        editedBy: publicId('opr', editedBy),
        editedAt: editedAt.toISOString(),
      })),
    };
  }
}
