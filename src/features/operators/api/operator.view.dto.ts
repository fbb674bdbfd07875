import { permissions, roles, View } from '../../../platform/http/index.js';
import type { ChangedOperator } from '../accounts/operators.service.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { InvitationRow, OperatorRow, SessionRow } from '../store/operator.queries.js';

export class OperatorView {
  @View.text({ example: 'opr_019364d0c0de7000a000000000000001' }) id: string;
  @View.enum(['PERSON', 'MACHINE'], { example: 'PERSON' }) kind: string;
  @View.textOrNull({ format: 'email', example: 'ana@example.com' }) email: string | null;
  @View.text({ example: 'Ana Exemplo' }) name: string;
  @View.enum(['ENABLED', 'DISABLED'], { example: 'ENABLED' }) status: string;
  @View.enums(roles, 'Of a person.', { example: ['ANALYST'] }) roles: readonly string[];
  @View.enums(permissions, 'Of a machine.', { example: [] }) permissions: readonly string[];
  @View.flag('Whether a second factor is set up.', { example: true }) totpEnrolled: boolean;
  @View.enum(['PASSWORD', 'OIDC', 'SECRET'], { example: 'PASSWORD' }) loginMethod: string;
  @View.instant({ example: '2026-11-20T12:00:00.000Z' }) createdAt: string;
  @View.instantOrNull({ example: '2026-11-20T12:00:00.000Z' }) lastLoginAt: string | null;

  static of(operator: OperatorRow): OperatorView {
    return {
      id: publicId('opr', operator.id),
      kind: operator.kind,
      email: operator.email,
      name: operator.name,
      status: operator.status,
      roles: operator.roles,
      permissions: operator.permissions,
      totpEnrolled: operator.sealedTotpSeed !== null,
      loginMethod: loginMethodOf(operator),
      createdAt: operator.createdAt.toISOString(),
      lastLoginAt: operator.lastLoginAt?.toISOString() ?? null,
    };
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
  @View.text({ example: 'inv_019364d0c0de7000a000000000000001' }) id: string;
  @View.textOrNull({ format: 'email', example: 'ana@example.com' }) email: string | null;
  @View.textOrNull({ example: 'Ana Exemplo' }) name: string | null;
  @View.enums(roles, { example: ['ANALYST'] }) roles: readonly string[];
  @View.instant({ example: '2026-11-20T12:00:00.000Z' }) createdAt: string;
  @View.instant({ example: '2026-11-20T12:00:00.000Z' }) expiresAt: string;

  static of(invitation: InvitationRow): InvitationView {
    return {
      id: publicId('inv', invitation.id),
      email: invitation.email,
      name: invitation.name,
      roles: invitation.roles,
      createdAt: invitation.createdAt.toISOString(),
      expiresAt: invitation.expiresAt.toISOString(),
    };
  }
}

export class OperatorSessionView {
  @View.text({ example: 'ops_019364d0c0de7000a000000000000001' }) id: string;
  @View.flag('Whether it is the session that asks.') current: boolean;
  @View.enum(['PASSWORD', 'OIDC', 'SECRET', 'LOCAL'], { example: 'PASSWORD' }) method: string;
  @View.flag('Whether it had a second factor.', { example: true }) strong: boolean;
  @View.textOrNull({ example: '203.0.113.7' }) ip: string | null;
  @View.textOrNull({ example: 'Mozilla/5.0' }) userAgent: string | null;
  @View.instant({ example: '2026-11-20T12:00:00.000Z' }) createdAt: string;
  @View.instant({ example: '2026-11-20T12:00:00.000Z' }) lastUsedAt: string;
  @View.instant({ example: '2026-11-20T12:00:00.000Z' }) expiresAt: string;

  static of(session: SessionRow, currentId: string): OperatorSessionView {
    return {
      id: publicId('ops', session.id),
      current: session.id === currentId,
      method: session.method,
      strong: session.strong,
      ip: session.ip,
      userAgent: session.userAgent,
      createdAt: session.createdAt.toISOString(),
      lastUsedAt: session.lastUsedAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    };
  }
}
