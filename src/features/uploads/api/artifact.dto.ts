import { Field } from '../../../platform/http/index.js';
import { MAX_PAGES } from '../domain/artifact.js';

const CUSTOMER_ID = /^cus_[0-9a-f]{32}$/;

export class LinkArtifactBody {
  @Field.matching(CUSTOMER_ID, 'The id of the customer.', { example: 'cus_019364d0c0de7000a000000000000005' })
  customerId: string;
}

export class ArtifactContentQuery {
  @Field.integer('Page of a PDF, from 1.', { url: true, min: 1, max: MAX_PAGES, optional: true, default: 1 })
  page = 1;
}
