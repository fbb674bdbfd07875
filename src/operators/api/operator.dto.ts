import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsEmail, IsOptional, MaxLength } from 'class-validator';
import { Field, PageQuery, permissions, roles, type Permission, type Role } from '../../http/index.js';

const EMAIL = { maxLength: 254, format: 'email', example: 'ana@example.com' } as const;

export class CreateOperatorBody {
  @Field.enum(
    ['PERSON', 'MACHINE'],
    'PERSON: logs in with the identity provider (others are invited). MACHINE: off by default.',
    { example: 'PERSON' },
  )
  kind: 'PERSON' | 'MACHINE';

  @Field.text({ maxLength: 120, example: 'Ana Exemplo' }) name: string;

  @ApiPropertyOptional({ ...EMAIL, description: 'Of a person.' })
  @IsOptional()
  @IsEmail()
  @MaxLength(254)
  email?: string;

  @Field.enums(roles, 'Of a person.', { optional: true, example: ['ANALYST'] }) roles?: Role[];

  @Field.enums(permissions, 'Of a machine; none that needs a second factor.', {
    optional: true,
    example: ['kyt:read'],
  })
  permissions?: Permission[];
}

export class UpdateOperatorBody extends PartialType(
  PickType(CreateOperatorBody, ['name', 'roles', 'permissions'] as const),
) {}

export class InviteBody {
  @ApiProperty(EMAIL)
  @IsEmail()
  @MaxLength(254)
  email: string;

  @Field.text({ maxLength: 120, example: 'Ana Exemplo' }) name: string;

  @Field.enums(roles, { example: ['ANALYST'] }) roles: Role[];
}

export class OperatorsQuery extends PageQuery {
  @Field.enum(['PERSON', 'MACHINE'], { optional: true }) kind?: 'PERSON' | 'MACHINE';
  @Field.enum(['ENABLED', 'DISABLED'], { optional: true }) status?: 'ENABLED' | 'DISABLED';
}
