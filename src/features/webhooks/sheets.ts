import { sheet } from '../../platform/sheets/index.js';

const retryActions = ['delivery.retried', 'delivery.recovered'] as const;
const ends = {
  PENDING: retryActions,
  DELIVERED: ['delivery.delivered'],
  EXHAUSTED: ['delivery.exhausted'],
  CANCELLED: ['delivery.cancelled'],
} as const;
const allActions = [
  'delivery.delivered',
  'delivery.exhausted',
  'delivery.cancelled',
  ...retryActions,
] as const;

/** The delivery of an event to an endpoint. A retry schedule ends once; only a retry or a recovery begins another. */
const delivery = sheet({
  type: 'delivery',
  id: 'whd',
  isPrunable: true,
  actions: allActions,
  order: {
    first: allActions,
    follows: {
      'delivery.delivered': retryActions,
      'delivery.exhausted': retryActions,
      'delivery.cancelled': retryActions,
      'delivery.retried': allActions,
      'delivery.recovered': allActions,
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
