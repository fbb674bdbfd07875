import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../database/regulated/regulated.js';

/** A limit of an organisation that replaces the default. Only the people who run the installation set one. */
@Unregulated('a limit of the installation; each change is an entry')
@Entity('organisation_quotas')
export class OrganisationQuotaEntity {
  @PrimaryColumn('text') name: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bigint') value: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) setAt: Date;
}

export const quotasEntities = [OrganisationQuotaEntity];
