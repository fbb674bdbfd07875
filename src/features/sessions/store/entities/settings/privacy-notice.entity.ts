import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../../platform/database/regulated/regulated.js';
import type { PrivacyNotice } from '../../../domain/making/privacy-notice.js';

/** A version of the privacy notice of an organisation; never changed. */
@Regulated({ of: 'privacy_notice', by: 'id' })
@Entity('privacy_notices')
export class PrivacyNoticeEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') version: number;
  @Column('jsonb') content: PrivacyNotice;
  @Column('text') createdBy: string;
  @Column('timestamptz') createdAt: Date;
}
