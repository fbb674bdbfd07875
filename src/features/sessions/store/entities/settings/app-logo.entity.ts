import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

/** A logo, named by the hash of its content. */
@Unregulated('a picture for the public; which one an application shows is bound in the application')
@Entity('app_logos')
export class AppLogoEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') hash: string;
  @Column('bytea') png: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
