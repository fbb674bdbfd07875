import { guardChange, sheet } from '../../platform/sheets/index.js';

const changes = [
  'customer.enriched',
  'customer.profile_changed',
  'customer.risk_changed',
  'customer.revealed',
  'customer.relationship_changed',
  'customer.people_recorded',
  'customer.legal_hold_placed',
  'customer.legal_hold_lifted',
  'customer.restricted',
  'customer.absorbed',
] as const;
const laterActions = [...changes, 'customer.merged', 'customer.erased'] as const;

const rankOf = (row: string): string => `array_position(ARRAY['LOW', 'MEDIUM', 'HIGH'], ${row}.risk_level)`;

/** A customer. An erased one has no further steps; a merged one can only be erased. */
const customer = sheet({
  type: 'customer',
  id: 'cus',
  actions: ['customer.identified', ...laterActions],
  order: {
    first: ['customer.identified'],
    follows: {
      ...Object.fromEntries(['customer.identified', ...changes].map((action) => [action, laterActions])),
      'customer.merged': ['customer.erased'],
    },
  },
  events: ['customer.identified', 'customer.enriched'],
  acts: {
    'customer.lower_risk': {
      title: { en: 'Lower the risk of a customer', pt: 'Baixar o risco de um cliente' },
      effect: {
        en: 'The risk level of a customer becomes lower.',
        pt: 'O risco de um cliente fica mais baixo.',
      },
      undo: { en: 'Set the higher level: one person.', pt: 'Pôr o nível mais alto: uma pessoa.' },
      ask: 'reviews:decide',
      approve: 'reviews:approve',
      path: '/operator/customers',
      routes: ['POST /operator/customers/:id/risk-level/lower'],
      guards: [
        guardChange('customers', {
          name: 'risk_approved',
          when: `OLD.risk_level IS NOT NULL AND (NEW.risk_level IS NULL OR ${rankOf('NEW')} < ${rankOf('OLD')})`,
          values: { risk_level: 'riskLevel' },
        }),
      ],
    },
    'fact.confirm': {
      title: { en: 'Confirm what one person wrote down', pt: 'Confirmar o que uma só pessoa escreveu' },
      effect: {
        en: 'What one operator wrote down about a customer also counts where it makes a result better.',
        pt: 'O que uma só pessoa escreveu sobre um cliente passa a contar também a favor.',
      },
      undo: { en: 'Write down what is right: one person.', pt: 'Escrever o que é certo: uma pessoa.' },
      ask: 'reviews:work',
      approve: 'reviews:approve',
      path: '/operator/customers',
      routes: ['POST /operator/customers/:id/facts/confirm'],
    },
    'customer.lift_legal_hold': {
      title: { en: 'End a legal hold', pt: 'Encerrar uma guarda legal' },
      effect: {
        en: 'A legal hold ends, so that the data may be erased.',
        pt: 'Uma guarda legal termina, e os dados podem ser apagados.',
      },
      undo: { en: 'Place the hold again: one person.', pt: 'Pôr a guarda de novo: uma pessoa.' },
      ask: 'customers:erase',
      approve: 'customers:erase',
      path: '/operator/customers',
      routes: ['POST /operator/customers/:id/legal-hold/lift'],
      guards: [
        guardChange('customers', {
          name: 'hold_approved',
          when: 'OLD.legal_hold_at IS NOT NULL AND NEW.legal_hold_at IS NULL',
        }),
      ],
    },
    'customer.erase': {
      title: { en: 'Erase a person', pt: 'Apagar os dados de uma pessoa' },
      effect: {
        en: 'The keys of a person are destroyed, and with them their data.',
        pt: 'As chaves de uma pessoa são destruídas, e com elas os dados dela.',
      },
      undo: {
        en: 'Withdraw the request while it waits; afterwards never.',
        pt: 'Retirar o pedido enquanto espera; depois, nunca.',
      },
      ask: 'customers:erase',
      approve: 'customers:erase',
      waitsHours: 72,
      path: '/operator/customers',
      routes: ['POST /operator/customers/:id/erase'],
      guards: [
        guardChange('customers', {
          name: 'erasure_approved',
          // A merged record is erased with the surviving customer.
          id: 'merged_into,id',
          when: 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [customer] as const;
