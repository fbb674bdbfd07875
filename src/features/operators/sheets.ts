import { guardRows, inAnyOrder, sheet } from '../../platform/sheets/index.js';

const laterActions = [
  'operator.updated',
  'operator.disabled',
  'operator.enabled',
  'operator.access_denied',
  'operator.logged_in',
  'operator.login_failed',
  'operator.login_locked',
  'operator.logged_out',
  'operator.session_ended',
  'operator.sessions_ended',
  'operator.refresh_refused',
  'operator.reauthentication_failed',
  'operator.stepped_up',
  'operator.password_changed',
  'operator.totp_enrolled',
  'operator.totp_reset',
  'operator.passkey_added',
  'operator.passkey_removed',
  'operator.recovery_codes_renewed',
  'operator.secret_renewed',
  'operator.credentials_reset',
  'operator.identity_linked',
  'operator.view_saved',
  'operator.view_removed',
] as const;

/** A person or a machine with an account. */
const operator = sheet({
  type: 'operator',
  id: 'opr',
  actions: ['operator.created', ...laterActions],
  order: inAnyOrder('operator.created', laterActions),
  acts: {
    'operator.empower': {
      title: { en: 'Give somebody powers', pt: 'Dar poderes a alguém' },
      effect: {
        en: 'Somebody has more roles, is let in again, or loses a second factor.',
        pt: 'Alguém ganha papéis, volta a poder entrar ou perde um segundo fator.',
      },
      undo: {
        en: 'Take the roles away, or disable the account: one person.',
        pt: 'Retirar os papéis, ou desativar a conta: uma pessoa.',
      },
      ask: 'operators:manage',
      approve: 'operators:manage',
      path: '/operator/operators',
      routes: [
        'POST /operator/operators/:id/roles',
        'POST /operator/operators/:id/enable',
        'POST /operator/operators/:id/totp/reset',
      ],
      guards: [
        guardRows('operators', {
          name: 'empowered',
          orCommandLine: true,
          when: 'NOT NEW.roles <@ OLD.roles',
          values: { roles: 'roles' },
        }),
        guardRows('operators', {
          name: 'enabled',
          orCommandLine: true,
          when: `OLD.status <> NEW.status AND NEW.status = 'ENABLED'`,
          values: { status: 'status' },
        }),
        guardRows('operators', {
          name: 'factor_reset',
          orCommandLine: true,
          when: 'OLD.sealed_totp_seed IS NOT NULL AND NEW.sealed_totp_seed IS NULL',
        }),
      ],
    },
  },
});

/** An invitation of a person. */
const invitation = sheet({
  type: 'operator_invitation',
  id: 'inv',
  actions: ['operator_invitation.created', 'operator_invitation.accepted', 'operator_invitation.revoked'],
  acts: {
    'operator.invite': {
      title: { en: 'Invite a person', pt: 'Convidar uma pessoa' },
      effect: {
        en: 'A person is invited with roles; the token goes to that person alone.',
        pt: 'Uma pessoa é convidada com papéis; só ela recebe o convite.',
      },
      undo: {
        en: 'Take the invitation back, or disable the account: one person.',
        pt: 'Retirar o convite, ou desativar a conta: uma pessoa.',
      },
      ask: 'operators:manage',
      approve: 'operators:manage',
      lines: (_, { name, email }) => [
        { what: { en: 'Person', pt: 'Pessoa' }, before: null, after: `${String(name)} <${String(email)}>` },
      ],
      routes: ['POST /operator/invitations'],
      guards: [
        guardRows('operator_invitations', {
          orCommandLine: true,
          on: 'INSERT',
          when: 'true',
          values: { email: 'email', name: 'name', roles: 'roles', login: 'login' },
          request: { approval_id: 'id', invited_by: 'requested_by' },
        }),
        // An invitation is used as it was approved.
        guardRows('operator_invitations', {
          name: 'kept',
          when: '(OLD.email, OLD.roles, OLD.hash) IS DISTINCT FROM (NEW.email, NEW.roles, NEW.hash)',
          values: { email: 'email', name: 'name', roles: 'roles' },
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [operator, invitation] as const;
