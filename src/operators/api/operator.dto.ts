import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsEmail,
  IsIn,
  IsOptional,
  MaxLength,
} from 'class-validator';
import { Field, PageQuery, permissions, roles, type Permission, type Role } from '../../http/index.js';
const EMAIL = { maxLength: 254, format: 'email', example: 'ana@example.com' } as const;
const ROLES = { isArray: true, enum: roles, minItems: 1, uniqueItems: true, example: ['ANALYST'] } as const;
const PERMISSIONS = { isArray: true, enum: permissions, uniqueItems: true, example: ['kyt:read'] } as const;

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

  @ApiPropertyOptional({ ...ROLES, description: 'Of a person.' })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(roles, { each: true })
  roles?: Role[];

  @ApiPropertyOptional({ ...PERMISSIONS, description: 'Of a machine; none that needs a second factor.' })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(permissions.length)
  @ArrayUnique()
  @IsIn(permissions, { each: true })
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

  @ApiProperty(ROLES)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(roles, { each: true })
  roles: Role[];
}

export class OperatorsQuery extends PageQuery {
  @Field.enum(['PERSON', 'MACHINE'], { optional: true }) kind?: 'PERSON' | 'MACHINE';
  @Field.enum(['ENABLED', 'DISABLED'], { optional: true }) status?: 'ENABLED' | 'DISABLED';
}
