import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';

const CUSTOMER_ID = /^cus_[0-9a-f]{32}$/;

export class LinkArtifactBody {
  @ApiProperty({ pattern: CUSTOMER_ID.source, example: 'cus_019364d0c0de7000a000000000000005' })
  @Matches(CUSTOMER_ID)
  customerId: string;
}

export class ArtifactContentQuery {
  @ApiPropertyOptional({
    enum: ['view', 'original'],
    default: 'view',
    description:
      '`view`: an image re-encoded without metadata, at most 2,000 pixels a side. `original`: the bytes as they came.',
  })
  @IsOptional()
  @IsIn(['view', 'original'])
  rendition: 'view' | 'original' = 'view';
}
