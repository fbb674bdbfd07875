import type {
  AppliesTo,
  LegalBasis,
  ParameterDefinition,
  ParameterValue,
  RuleAction,
  Unit,
} from '../../language/index.js';

const OF_ANY = { types: ['*'], channels: ['*'], currencies: ['*'], directions: ['IN', 'OUT'] } as const;

/** Composes `appliesTo` of a rule; an omitted field restricts nothing. */
export const applies = (to: Partial<AppliesTo> = {}): AppliesTo => ({ ...OF_ANY, ...to });

export const parameter = (
  value: ParameterValue,
  pt: string,
  en: string,
  unit?: Unit,
): ParameterDefinition => ({
  value,
  ...(unit ? { unit } : {}),
  label: { 'pt-BR': pt, en },
});

/** Cites an item of BCB Carta Circular 4.001/2020, art. 1º, with its Siscoaf code. */
export const circular4001 = (item: string, siscoafCode: number | null): LegalBasis => ({
  norm: 'BCB Carta Circular 4.001/2020',
  item: `art. 1º, ${item}`,
  siscoafCode,
});

export const norm = (name: string, item: string, siscoafCode: number | null = null): LegalBasis => ({
  norm: name,
  item,
  siscoafCode,
});

/** Cites a report of the FATF, alone or with others, by its title and year. */
export const fatf = (title: string, year: number): LegalBasis => norm('FATF', `${title}, ${year}`);

/** Asks the customer to verify their identity; the session expires after 30 minutes by day, 60 by night. */
export const stepUp: RuleAction = {
  type: 'STEP_UP_SESSION',
  flowKey: 'step-up',
  onlyIfNoneWithin: 'PT12H',
  expiresIn: 'PT30M',
  expiresInAtNight: 'PT60M',
};

/** Fields that most rules have. */
export const USUAL = {
  version: 1,
  tags: [],
  actions: [],
  lists: [],
  flags: [],
  mode: 'LIVE',
  cooldown: null,
} as const;

/** Channels that the institution operates: the device of the transaction is not the customer's. */
export const NOT_THE_CUSTOMERS = ['BRANCH', 'ATM', 'CALL_CENTER', 'BACKOFFICE', 'BATCH'] as const;

export const withoutDevice = parameter(
  NOT_THE_CUSTOMERS,
  'canais sem dispositivo do cliente',
  'channels without a device of the customer',
);

/** Companies pay wages and suppliers on one day out of their balance: for them, this alone is not a pattern. */
export const IS_COMPANY = '(has(customer.personType) && customer.personType == "LEGAL")';

/** A transfer between accounts of one holder. */
export const IS_OWN = '(has(sameHolder) && sameHolder)';

export const TRANSFERS = ['PIX_*', 'TED_TRANSFER', 'INTERNAL_TRANSFER'] as const;

/** Selects rows that are not between accounts of the customer. A counterparty without a document is not proven own. */
export const NOT_OWN = '!(has(ownAccount) && ownAccount)';

/** Selects rows of money sent or received by a transfer, not by card, cash, loan or wages. */
export const BY_TRANSFER = '(instrument == "PIX" || instrument == "TED" || instrument == "BOOK")';

export const RECEIVED_BY_TRANSFER = `direction == "IN" && ${BY_TRANSFER} && ${NOT_OWN}`;
export const SENT_BY_TRANSFER = `direction == "OUT" && ${BY_TRANSFER} && ${NOT_OWN}`;

const BENEFICIARIES = {
  function: 'distinct',
  of: 'counterparty',
  by: 'customer',
  window: '40d',
  where: 'direction == "OUT"',
} as const;

/**
 * True of accounts whose windows of weeks may be cut off at the newest 2,000 transactions: what they did before is then a
 * lower bound, and no rule compares with it.
 */
export const IS_BUSY = 'activity.count90d >= 2000';

/** The difference of the two is who was paid for the first time in the last 24 hours; wages go to the same people. */
export const NEW_BENEFICIARIES = {
  beneficiaries: BENEFICIARIES,
  beneficiariesBefore: { ...BENEFICIARIES, offset: '24h' },
} as const;
