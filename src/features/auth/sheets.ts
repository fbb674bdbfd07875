import { guardRows, sheet } from '../../platform/sheets/index.js';

const changes = [
  'client_app.changed',
  'client_app.disabled',
  'client_app.enabled',
  'client_app.secret_rotated',
  'client_app.secret_revoked',
] as const;
const next = [...changes, 'client_app.revoked'] as const;

const writes = (row: string): string => `'customers:write' = ANY (${row}.scopes)`;

/** An application of an integrator. */
const clientApp = sheet({
  type: 'client_app',
  id: 'app',
  actions: ['client_app.created', ...next, 'transaction.conflict_refused', 'customer_event.conflict_refused'],
  order: {
    first: ['client_app.created'],
    follows: Object.fromEntries(['client_app.created', ...changes].map((action) => [action, next])),
    // Other processes learn of the revocation within a second.
    beside: ['transaction.conflict_refused', 'customer_event.conflict_refused'],
  },
  last: ({ status }: { readonly status: string }) =>
    status === 'REVOKED' ? ['client_app.revoked'] : ['client_app.created', ...changes],
  acts: {
    'client_app.grant': {
      title: {
        en: 'Let an application write what customers declare',
        pt: 'Deixar um aplicativo gravar o que clientes declaram',
      },
      effect: {
        en: 'An application may write what customers declare; one that may gets another secret, or is enabled again.',
        pt: 'Um aplicativo pode gravar o que clientes declaram; um que já pode ganha outro segredo ou volta a funcionar.',
      },
      undo: {
        en: 'Take the scope away, revoke the secret, or disable the application: one person.',
        pt: 'Retirar a permissão, revogar o segredo, ou desativar o aplicativo: uma pessoa.',
      },
      ask: 'apps:secrets',
      approve: 'apps:secrets',
      path: '/operator/client-apps',
      routes: [
        'POST /operator/client-apps/:id/scopes',
        'POST /operator/client-apps/:id/secrets/request',
        'POST /operator/client-apps/:id/enable/request',
      ],
      guards: [
        guardRows('client_apps', {
          name: 'created_without',
          on: 'INSERT',
          orCommandLine: true,
          when: writes('NEW'),
          values: { scopes: 'scopes' },
        }),
        guardRows('client_apps', {
          name: 'granted',
          orCommandLine: true,
          when: `${writes('NEW')} AND NOT ${writes('OLD')}`,
          values: { scopes: 'scopes' },
        }),
        guardRows('client_apps', {
          name: 'enabled_again',
          orCommandLine: true,
          when: `(NEW.status = 'ENABLED' AND OLD.status <> 'ENABLED' AND ${writes('NEW')})`,
          values: { status: 'status' },
        }),
        guardRows('client_apps', {
          name: 'addresses_let_in',
          orCommandLine: true,
          when: `(${writes('OLD')} AND lets_more_in(OLD.ip_allow_list, NEW.ip_allow_list))`,
          values: { ip_allow_list: 'ipAllowList' },
        }),
      ],
    },
    'client_app.inputs': {
      title: {
        en: 'Judge an application without what it does not send',
        pt: 'Avaliar um aplicativo sem o que ele não envia',
      },
      effect: {
        en: 'Transactions of an application are judged without an input that it does not send; each result names it.',
        pt: 'As transações de um aplicativo são avaliadas sem um dado que ele não envia; cada resultado o cita.',
      },
      undo: {
        en: 'Take the input out of the list: one person.',
        pt: 'Retirar o dado da lista: uma pessoa.',
      },
      ask: 'rules:publish',
      approve: 'rules:publish',
      path: '/operator/client-apps',
      routes: ['POST /operator/client-apps/:id/inputs'],
      guards: [
        guardRows('client_apps', {
          name: 'created_with_inputs',
          on: 'INSERT',
          orCommandLine: true,
          when: `NEW.without_inputs <> '{}'`,
          values: { without_inputs: 'withoutInputs' },
        }),
        guardRows('client_apps', {
          name: 'inputs_left_out',
          orCommandLine: true,
          when: `(NOT NEW.without_inputs <@ OLD.without_inputs
            OR (OLD.inputs_single_control AND NOT NEW.inputs_single_control))`,
          values: { without_inputs: 'withoutInputs' },
          request: { inputs_single_control: 'single_control' },
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [clientApp] as const;
