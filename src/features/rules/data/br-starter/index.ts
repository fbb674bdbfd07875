import type {
  ComponentName,
  DampenerDefinition,
  RequiredComponents,
  RuleDefinition,
  RulesetDefinition,
} from '../../language/index.js';
import { behaviourRules } from './behaviour.js';
import { cashRules } from './cash.js';
import { applies, NOT_THE_CUSTOMERS, TRANSFERS } from './common.js';
import { customerRules } from './customer.js';
import { flowRules } from './flow.js';
import { geographyRules } from './geography.js';
import { listRules } from './lists.js';
import { networkAndDataRules } from './network-and-data.js';
import { pixRules } from './pix.js';
import { structuringRules } from './structuring.js';
import { velocityRules } from './velocity.js';

const numberIn = (key: string): number => Number(key.slice(key.lastIndexOf('-') + 1));

const rules: readonly RuleDefinition[] = [
  ...listRules,
  ...pixRules,
  ...cashRules,
  ...structuringRules,
  ...velocityRules,
  ...flowRules,
  ...behaviourRules,
  ...geographyRules,
  ...networkAndDataRules,
  ...customerRules,
].sort((a, b) => numberIn(a.key) - numberIn(b.key));

const sameHolder: DampenerDefinition = {
  key: 'BR-DAMP-01',
  version: 1,
  name: { 'pt-BR': 'Mesmo titular', en: 'Same holder' },
  description: {
    'pt-BR': 'Transferência entre contas do mesmo titular, com os dois documentos completos e válidos.',
    en: 'A transfer between accounts of the same holder, both documents full and valid.',
  },
  appliesTo: applies(),
  parameters: {},
  when: 'sameHolder',
  points: -20,
  suppresses: ['BR-STR-09', 'BR-STR-28', 'BR-FLOW-13', 'BR-FLOW-14', 'BR-PIX-17', 'BR-FLOW-30'],
  mode: 'LIVE',
  message: {
    'pt-BR': 'Origem e destino são do mesmo titular.',
    en: 'Origin and destination have the same holder.',
  },
};

const TRANSFER: readonly ComponentName[] = ['IDENTITY', 'COUNTERPARTY', 'LISTS', 'VELOCITY', 'RULES'];
const WITHOUT_COUNTERPARTY: readonly ComponentName[] = ['IDENTITY', 'LISTS', 'VELOCITY', 'RULES'];
const FOREIGN = { inForeignCurrency: ['FX'] } as const;
const CAPACITY = { fromAmountBrl: { amount: 10_000, components: ['PROFILE'] } } as const;

/** Transactions of these channels have no device of the customer. */
const NO_DEVICE = {
  exemptions: [{ channels: NOT_THE_CUSTOMERS, components: ['DEVICE_IP'] }],
} as const;
const ONLINE: readonly ComponentName[] = [...TRANSFER, 'DEVICE_IP'];

const requiredComponents: readonly RequiredComponents[] = [
  {
    types: ['PIX_REFUND', ...TRANSFERS.filter((type) => type !== 'PIX_*'), 'BOLETO_PAYMENT', 'OTHER'],
    directions: ['OUT'],
    components: ONLINE,
    ...NO_DEVICE,
    ...CAPACITY,
    ...FOREIGN,
  },
  {
    types: ['PIX_*'],
    directions: ['OUT'],
    components: [...ONLINE, 'DICT'],
    ...NO_DEVICE,
    ...CAPACITY,
    ...FOREIGN,
  },
  { types: ['CARD_*'], components: WITHOUT_COUNTERPARTY, ...FOREIGN },
  { types: ['CASH_*'], components: WITHOUT_COUNTERPARTY, ...CAPACITY, ...FOREIGN },
  { types: ['FX_OUTBOUND', 'CRYPTO_*'], components: [...ONLINE, 'FX'], ...NO_DEVICE, ...CAPACITY },
  { types: ['FX_*'], components: [...TRANSFER, 'FX'], ...CAPACITY },
  { types: ['BET_*'], components: ONLINE, ...NO_DEVICE, ...CAPACITY, ...FOREIGN },
  { types: ['*'], components: TRANSFER, ...CAPACITY, ...FOREIGN },
];

/**
 * The ruleset that ships: 39 rules and a dampener, with amounts in Brazilian reais; the minimal payload is enough for
 * it. Its thresholds are our starting points, except those that a norm sets: 50,000 in cash and five business days,
 * 1,000 by night, 200 and 1,000 for unregistered devices.
 */
export const brStarter: RulesetDefinition = {
  key: 'br-starter',
  version: 2,
  name: { 'pt-BR': 'Regras iniciais do Brasil 2026.2', en: 'Starter rules for Brazil 2026.2' },
  selector: { types: ['*'], clientApps: ['*'] },
  rules,
  dampeners: [sameHolder],
  scoring: {
    reviewAt: 60,
    caps: { default: 60, LISTS: 100, DEVICE_FRAUD: 90 },
    bands: { MEDIUM: 30, HIGH: 60, CRITICAL: 85 },
  },
  composition: { requiredComponents },
};
