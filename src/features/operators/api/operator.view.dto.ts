import { permissions, roles, View, viewOf } from '../../../platform/http/index.js';
import type { ChangedOperator } from '../accounts/operators.service.js';
import type { InvitationRow, OperatorRow, OperatorSessionRow } from '../store/operator.queries.js';

export class OperatorView {
  @View.id('opr', 'The id of the operator.') id: string;
  @View.enum(['PERSON', 'MACHINE'], 'Whether it is a person or a machine.', { example: 'PERSON' })
  kind: string;
  @View.textOrNull('The address for mail, with which the operator logs in.', {
    format: 'email',
    example: 'ana@example.com',
  })
  email: string | null;
  @View.text('The name of the operator.', { example: 'Ana Exemplo' }) name: string;
  @View.enum(['ENABLED', 'DISABLED'], 'The status of the operator.', { example: 'ENABLED' }) status: string;
  @View.enums(roles, 'Of a person.', { example: ['ANALYST'] }) roles: readonly string[];
  @View.enums(permissions, 'Of a machine.', { example: [] }) permissions: readonly string[];
  @View.flag('Whether a second factor is set up.', { example: true }) totpEnrolled: boolean;
  @View.enum(['PASSWORD', 'OIDC', 'SECRET'], 'How the operator logs in.', { example: 'PASSWORD' })
  loginMethod: string;
  @View.instant('When the operator was created.') createdAt: string;
  @View.instantOrNull('When the operator last logged in; null for never.') lastLoginAt: string | null;

  static of(operator: OperatorRow): OperatorView {
    return viewOf(OperatorView, operator, {
      totpEnrolled: operator.sealedTotpSeed !== null,
      loginMethod: loginMethodOf(operator),
    });
  }
}

function loginMethodOf(operator: OperatorRow): string {
  if (operator.kind === 'MACHINE') return 'SECRET';
  return operator.passwordHash === null ? 'OIDC' : 'PASSWORD';
}

export class NewOperatorView extends OperatorView {
  @View.textOrNull('Of a machine; shown this once.') secret: string | null;

  static with(operator: OperatorRow, secret: string | null): NewOperatorView {
    return Object.assign(OperatorView.of(operator), { secret });
  }
}

export class ChangedOperatorView extends OperatorView {
  @View.integer('Open cases that went back to the queue.', { example: 3 }) casesReturned: number;

  static with({ operator, casesReturned }: ChangedOperator): ChangedOperatorView {
    return Object.assign(OperatorView.of(operator), { casesReturned });
  }
}

export class SecretView {
  @View.text('Shown this once.') secret: string;
}

export class InvitationView {
  @View.id('inv', 'The id of the invitation.') id: string;
  @View.textOrNull('The address for mail, with which the operator logs in.', {
    format: 'email',
    example: 'ana@example.com',
  })
  email: string | null;
  @View.textOrNull('The name of the person.', { example: 'Ana Exemplo' }) name: string | null;
  @View.enums(roles, 'The roles of the operator.', { example: ['ANALYST'] }) roles: readonly string[];
  @View.instant('When the invitation was created.') createdAt: string;
  @View.instant('Until when the invitation is valid.') expiresAt: string;

  static of(invitation: InvitationRow): InvitationView {
    return viewOf(InvitationView, invitation, {});
  }
}

export class OperatorSessionView {
  @View.id('ops', 'The id of the login.') id: string;
  @View.flag('Whether it is the session that asks.') current: boolean;
  @View.enum(['PASSWORD', 'OIDC', 'SECRET', 'LOCAL'], 'How the operator logged in.', { example: 'PASSWORD' })
  method: string;
  @View.flag('Whether it had a second factor.', { example: true }) strong: boolean;
  @View.textOrNull('The network address, as far as it is kept.', { example: '203.0.113.7' }) ip:
    string | null;
  @View.textOrNull('What the program of the caller calls itself.', { example: 'Mozilla/5.0' }) userAgent:
    string | null;
  @View.instant('When the login was created.') createdAt: string;
  @View.instant('When it was last used; null for never.') lastUsedAt: string;
  @View.instant('Until when the login is valid.') expiresAt: string;

  static of(session: OperatorSessionRow, currentId: string): OperatorSessionView {
    return viewOf(OperatorSessionView, session, { current: session.id === currentId });
  }
}
