import { sheet } from '../../platform/sheets/index.js';

const again = ['delivery.retried', 'delivery.recovered'] as const;
const ends = {
  PENDING: again,
  DELIVERED: ['delivery.delivered'],
  EXHAUSTED: ['delivery.exhausted'],
  CANCELLED: ['delivery.cancelled'],
} as const;
const anywhere = ['delivery.delivered', 'delivery.exhausted', 'delivery.cancelled', ...again] as const;

/** The delivery of an event to an endpoint: one ending per retry schedule, which only a retry or a recovery may follow. */
const delivery = sheet({
  type: 'delivery',
  id: 'whd',
  isPrunable: true,
  actions: anywhere,
  order: {
    first: anywhere,
    follows: {
      'delivery.delivered': again,
      'delivery.exhausted': again,
      'delivery.cancelled': again,
      'delivery.retried': anywhere,
      'delivery.recovered': anywhere,
    },
  },
  last: ({ status }: { readonly status: keyof typeof ends }) => ends[status],
});

/** An endpoint that receives events. */
const endpoint = sheet({
  type: 'webhook_endpoint',
  id: 'whe',
  actions: [
    'webhook_endpoint.created',
    'webhook_endpoint.disabled',
    'webhook_endpoint.activated',
    'webhook_endpoint.changed',
    'webhook_endpoint.paused',
    'webhook_endpoint.removed',
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.tested',
    'webhook_endpoint.recovery_requested',
    'webhook_endpoint.recovered',
  ],
});

/** The audited subjects of this feature. */
export const sheets = [delivery, endpoint] as const;
