import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsOptional, ValidateIf } from 'class-validator';
import { Field } from '../../../platform/http/index.js';
import { IsIdOf, REASON } from './review.dto.js';

export class MergeBody {
  @Field.id('rev', 'The case that goes into this one.', { example: 'rev_019364d0c0de7000a000000000000002' })
  review: string;

  @Field.text('The reason, in your own words.', {
    ...REASON,
    example: 'Both tell of the same purchase of a car on 19 November.',
  })
  reason: string;
}

export class SplitBody {
  @ApiPropertyOptional({
    type: [String],
    maxItems: 500,
    example: ['txn_019364d0c0de7000a000000000000001'],
    description: 'Transactions of the case. Some of these or of the hits are needed.',
  })
  @ValidateIf(({ hits, transactions }: SplitBody) => transactions !== undefined || hits === undefined)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ArrayUnique()
  @IsIdOf('txn')
  transactions?: string[];

  @ApiPropertyOptional({
    type: [String],
    maxItems: 100,
    example: ['hit_019364d0c0de7000a000000000000001'],
    description: 'Hits of the case.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsIdOf('hit')
  hits?: string[];

  @Field.text('The reason, in your own words.', {
    ...REASON,
    example: 'The salary has nothing to do with the payments to the exchange.',
  })
  reason: string;
}

export class AddPeopleBody {
  @ApiProperty({
    type: [String],
    maxItems: 50,
    example: ['cus_019364d0c0de7000a000000000000001'],
    description: 'Customers who belong to what the case tells.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsIdOf('cus')
  customers: string[];

  @Field.text('The reason, in your own words.', {
    ...REASON,
    example: 'The brother from whose account the twelve payments came.',
  })
  reason: string;
}
