import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import {
  Field,
  PageQuery,
  permissions,
  roles,
  type Permission,
  type Role,
} from '../../../platform/http/index.js';
import type { InvitationRequest } from '../accounts/operator-approvals.service.js';

const EMAIL = { maxLength: 254, format: 'email', example: 'ana@example.com' } as const;

const REASON = {
  minLength: 10,
  maxLength: 2_000,
  example: 'Takes over the analysis desk in December.',
} as const;

export class OperatorReasonBody {
  @Field.string('The reason, in your own words.', REASON) reason: string;
}

export class RolesBody extends OperatorReasonBody {
  @Field.enums(roles, 'The roles of the operator.', { example: ['ANALYST'] }) roles: Role[];
}

export class NewMachineBody {
  @Field.text('The name of the machine.', { maxLength: 120, example: 'Nightly reports' }) name: string;

  @Field.enums(permissions, 'None that needs a second factor.', { example: ['kyt:read'] })
  permissions: Permission[];
}

export class UpdateOperatorBody {
  @Field.text('The name of the operator.', { maxLength: 120, optional: true, example: 'Ana Exemplo' })
  name?: string;
  @Field.enums(roles, 'Of a person.', { optional: true, example: ['ANALYST'] }) roles?: Role[];

  @Field.enums(permissions, 'Of a machine; none that needs a second factor.', {
    optional: true,
    example: ['kyt:read'],
  })
  permissions?: Permission[];
}

export class InviteBody extends RolesBody implements InvitationRequest {
  @ApiProperty({ description: 'The address for mail, with which the operator logs in.', ...EMAIL })
  @IsEmail()
  @MaxLength(254)
  email: string;

  @Field.text('The name of the person.', { maxLength: 120, example: 'Ana Exemplo' }) name: string;

  @Field.flag(
    'Logs in with the identity provider of OIDC_ISSUER, and accepts the invitation by it instead of a password.',
    {
      optional: true,
    },
  )
  identityProvider?: boolean;
}

export class OperatorsQuery extends PageQuery {
  @Field.enum(['PERSON', 'MACHINE'], 'Only people, or only machines.', { optional: true }) kind?:
    'PERSON' | 'MACHINE';
  @Field.enum(['ENABLED', 'DISABLED'], 'Only those with this status.', { optional: true }) status?:
    'ENABLED' | 'DISABLED';
}
