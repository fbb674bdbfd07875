import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { publicId } from '../../kernel/index.js';

/** What an operator sees of its own account and organisation. */
export interface OwnAccount {
  readonly email: string | null;
  readonly name: string;
  readonly totpEnrolled: boolean;
  readonly organisation: { readonly id: string; readonly key: string; readonly name: string };
}

/** Reading projections of operators. */
@Injectable()
export class OperatorQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** The account of an operator of this organisation. */
  async own(organisationId: string, operatorId: string): Promise<OwnAccount | null> {
    const rows: {
      email: string | null;
      name: string;
      totp: boolean;
      organisation_key: string;
      organisation_name: string;
    }[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT o.email, o.name, o.sealed_totp_seed IS NOT NULL AS totp,
                g.key AS organisation_key, g.name AS organisation_name
         FROM operators o JOIN organisations g ON g.id = o.organisation_id
         WHERE o.organisation_id = $1 AND o.id = $2`,
        [organisationId, operatorId],
      ),
    );
    const row = rows[0];
    return row
      ? {
          email: row.email,
          name: row.name,
          totpEnrolled: row.totp,
          organisation: {
            id: publicId('org', organisationId),
            key: row.organisation_key,
            name: row.organisation_name,
          },
        }
      : null;
  }
}
