import { ApiProperty } from '@nestjs/swagger';
import { permissions, roles } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { InvitationRow, OperatorRow, SessionRow } from '../store/operator.queries.js';

const MOMENT = { type: String, format: 'date-time', example: '2026-11-20T12:00:00.000Z' } as const;

export class OperatorView {
  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ enum: ['PERSON', 'MACHINE'], example: 'PERSON' })
  kind: string;

  @ApiProperty({ type: String, nullable: true, format: 'email', example: 'ana@example.com' })
  email: string | null;

  @ApiProperty({ example: 'Ana Exemplo' })
  name: string;

  @ApiProperty({ enum: ['ENABLED', 'DISABLED'], example: 'ENABLED' })
  status: string;

  @ApiProperty({ isArray: true, enum: roles, example: ['ANALYST'], description: 'Of a person.' })
  roles: readonly string[];

  @ApiProperty({ isArray: true, enum: permissions, example: [], description: 'Of a machine.' })
  permissions: readonly string[];

  @ApiProperty({ example: true, description: 'Whether a second factor is set up.' })
  totpEnrolled: boolean;

  @ApiProperty({ enum: ['PASSWORD', 'OIDC', 'SECRET'], example: 'PASSWORD' })
  loginMethod: string;

  @ApiProperty(MOMENT)
  createdAt: string;

  @ApiProperty({ ...MOMENT, nullable: true })
  lastLoginAt: string | null;

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
  @ApiProperty({ type: String, nullable: true, description: 'Of a machine; shown this once.' })
  secret: string | null;

  static with(operator: OperatorRow, secret: string | null): NewOperatorView {
    return Object.assign(OperatorView.of(operator), { secret });
  }
}

export class SecretView {
  @ApiProperty({ description: 'Shown this once.' })
  secret: string;
}

export class InvitationView {
  @ApiProperty({ example: 'inv_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ type: String, nullable: true, format: 'email', example: 'ana@example.com' })
  email: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Ana Exemplo' })
  name: string | null;

  @ApiProperty({ isArray: true, enum: roles, example: ['ANALYST'] })
  roles: readonly string[];

  @ApiProperty(MOMENT)
  createdAt: string;

  @ApiProperty(MOMENT)
  expiresAt: string;

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

export class NewInvitationView extends InvitationView {
  @ApiProperty({
    description:
      'Hand it to the person, who sends it to `/operator/auth/invitations/accept`. Shown this once.',
  })
  token: string;

  static with(invitation: InvitationRow, token: string): NewInvitationView {
    return Object.assign(InvitationView.of(invitation), { token });
  }
}

export class OperatorSessionView {
  @ApiProperty({ example: 'ops_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ description: 'Whether it is the session that asks.' })
  current: boolean;

  @ApiProperty({ enum: ['PASSWORD', 'OIDC', 'SECRET', 'LOCAL'], example: 'PASSWORD' })
  method: string;

  @ApiProperty({ example: true, description: 'Whether it had a second factor.' })
  strong: boolean;

  @ApiProperty({ type: String, nullable: true, example: '203.0.113.7' })
  ip: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Mozilla/5.0' })
  userAgent: string | null;

  @ApiProperty(MOMENT)
  createdAt: string;

  @ApiProperty(MOMENT)
  lastUsedAt: string;

  @ApiProperty(MOMENT)
  expiresAt: string;

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
