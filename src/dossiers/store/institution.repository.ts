import { Injectable } from '@nestjs/common';
import { execute, selectedBut, statement, UnitOfWork, type Tx } from '../../database/index.js';
import type { Institution } from '../domain/coaf/communication.js';
import { CoafInstitutionEntity } from './entities/coaf-institution.entity.js';

const INSTITUTION = selectedBut(CoafInstitutionEntity, 'i', 'organisationId', 'updatedAt');

const FIND = statement(
  'coaf.find-institution',
  `SELECT ${INSTITUTION.sql} FROM coaf_institutions i WHERE organisation_id = $1`,
  INSTITUTION.shape,
);

const SAVE = statement(
  'coaf.save-institution',
  `INSERT INTO coaf_institutions (organisation_id, tax_id, name, branch_number, branch_name, city, state, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (organisation_id) DO UPDATE SET tax_id = $2, name = $3, branch_number = $4, branch_name = $5,
     city = $6, state = $7, updated_at = $8`,
);

/** Who communicates: one institution for each organisation. */
@Injectable()
export class InstitutionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async find(organisationId: string): Promise<Institution | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId]));
    return rows[0] ?? null;
  }

  async save(tx: Tx, organisationId: string, institution: Institution, at: Date): Promise<void> {
    await execute(tx, SAVE, [
      organisationId,
      institution.taxId,
      institution.name,
      institution.branchNumber,
      institution.branchName,
      institution.city,
      institution.state,
      at,
    ]);
  }
}
