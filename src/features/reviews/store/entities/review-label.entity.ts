import { Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A rule or country of the alerts of a case, for searching. */
@Unregulated('derived from the alerts of a case, which are bound')
@Entity('review_labels')
export class ReviewLabelEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') kind: 'RULE' | 'COUNTRY';
  @PrimaryColumn('text') value: string;
}
