import { ApiProperty } from '@nestjs/swagger';
import { permissions, roles, strongPermissions, type OperatorPrincipal } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { OwnAccount } from '../store/operator.queries.js';

export class OrganisationView {
  @ApiProperty({ example: 'org_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'demo' })
  key: string;

  @ApiProperty({ example: 'Demo organisation' })
  name: string;
}

export class MeView {
  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ enum: ['PERSON', 'MACHINE'], example: 'PERSON' })
  kind: string;

  @ApiProperty({ type: String, nullable: true, format: 'email', example: 'ana@example.com' })
  email: string | null;

  @ApiProperty({ example: 'Ana' })
  name: string;

  @ApiProperty({ type: OrganisationView })
  organisation: OrganisationView;

  @ApiProperty({ isArray: true, enum: roles, example: ['ANALYST'] })
  roles: readonly string[];

  @ApiProperty({
    isArray: true,
    enum: permissions,
    example: ['kyt:read'],
    description: 'What this session may do now.',
  })
  permissions: readonly string[];

  @ApiProperty({
    isArray: true,
    enum: [...strongPermissions],
    example: ['reviews:decide'],
    description: 'What the roles allow, but only after a login with a second factor.',
  })
  lockedPermissions: readonly string[];

  @ApiProperty({ example: true, description: 'Whether this login had a second factor.' })
  strong: boolean;

  @ApiProperty({ example: true, description: 'Whether a second factor is set up.' })
  totpEnrolled: boolean;

  @ApiProperty({ example: 'ops_019364d0c0de7000a000000000000001' })
  sessionId: string;

  static of(operator: OperatorPrincipal, account: OwnAccount): MeView {
    const held = permissions.filter((permission) => operator.permissions.has(permission));
    const locked = operator.strong ? [] : held.filter((permission) => strongPermissions.has(permission));
    return {
      id: publicId('opr', operator.id),
      kind: operator.kind,
      ...account,
      roles: operator.roles,
      permissions: held.filter((permission) => !locked.includes(permission)),
      lockedPermissions: locked,
      strong: operator.strong,
      sessionId: publicId('ops', operator.sessionId),
    };
  }
}
