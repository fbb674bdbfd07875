import type {
  AppliesTo,
  LegalBasis,
  ParameterDefinition,
  ParameterValue,
  RuleAction,
  Unit,
} from '../../language/index.js';

const OF_ANY = { types: ['*'], channels: ['*'], currencies: ['*'], directions: ['IN', 'OUT'] } as const;

/** Which transactions a rule looks at; what is not said is not restricted. */
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

/** An item of BCB Carta Circular 4.001/2020, art. 1º, with its Siscoaf code. */
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

/** Asks the customer to verify their identity: 30 minutes by day, 60 by night. */
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

export const TRANSFERS = ['PIX_*', 'TED_TRANSFER', 'INTERNAL_TRANSFER'] as const;
