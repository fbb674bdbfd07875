import { Field } from '../../http/index.js';
const CUSTOMER_ID = /^cus_[0-9a-f]{32}$/;

export class LinkArtifactBody {
  @Field.matching(CUSTOMER_ID, { example: 'cus_019364d0c0de7000a000000000000005' }) customerId: string;
}

export class ArtifactContentQuery {
  @Field.enum(
    ['view', 'original'],
    '`view`: an image re-encoded without metadata, at most 2,000 pixels a side. `original`: the bytes as they came.',
    { optional: true, default: 'view' },
  )
  rendition: 'view' | 'original' = 'view';
}
