import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { AuditTrail, type ActorContext } from '../../audit/index.js';
import { sqlArray, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { FIND_COMPANY_PEOPLE } from '../store/relation.statements.js';
import { CustomerRelationEntity } from '../store/entities.js';

/** An owner or representative of a company. */
export interface CompanyPerson {
  readonly personId: string;
  readonly kind: CustomerRelationEntity['kind'];
  /** In percent. */
  readonly share: number | null;
}

/** The owners and representatives that a session of a company names. */
export interface CompanyStatement {
  readonly companyId: string;
  readonly sessionId: string;
  readonly people: readonly CompanyPerson[];
  /** True if relations that the session does not name end; only an approved session ends them. */
  readonly endsOthers: boolean;
}

/** A person whose hits and status count for a company, with the subject key under which the hits are stored. */
export interface PersonBehindCompany {
  readonly companyId: string;
  readonly organisationId: string;
  readonly personId: string;
  readonly subjectIndex: Buffer;
}

/** Owners and representatives of companies. Their hits and status count for the company. */
@Injectable()
export class CompanyPeopleService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
  ) {}

  /** Finds the current owners and representatives of companies, keyed by company id; an empty list needs no query. */
  async findCurrent(
    companies: readonly { readonly organisationId: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, readonly PersonBehindCompany[]>> {
    const peopleByCompany = new Map<string, PersonBehindCompany[]>();
    if (companies.length === 0) return peopleByCompany;
    const organisations = [...new Set(companies.map(({ organisationId }) => organisationId))];
    const rows: PersonBehindCompany[] = await this.uow.rows(organisations, FIND_COMPANY_PEOPLE, [
      sqlArray.uuids(organisations),
      sqlArray.uuids(companies.map(({ id }) => id)),
    ]);
    for (const row of rows) {
      peopleByCompany.set(row.companyId, [...(peopleByCompany.get(row.companyId) ?? []), row]);
    }
    return peopleByCompany;
  }

  /** Stores the people whom a session names, in the commit of the session. */
  async record(tx: Tx, ctx: ActorContext, statement: CompanyStatement, at: Date): Promise<void> {
    const { organisationId } = ctx;
    const { companyId, sessionId, people, endsOthers } = statement;
    const rows = people.map(({ personId, kind, share }) => ({
      ...{ organisationId, companyId, personId, kind, sessionId },
      share: share === null ? null : share.toFixed(2),
      ...{ recordedAt: at, endedAt: null },
    }));
    if (rows.length > 0) {
      await tx.upsert(CustomerRelationEntity, rows, ['companyId', 'personId', 'kind', 'organisationId']);
    }
    if (endsOthers) await this.end(tx, organisationId, statement, at, at);
    await this.write(tx, ctx, statement, at);
  }

  /** Session approved later: ends relations recorded up to `until` that its statement does not name. */
  async endOtherRelations(
    tx: Tx,
    ctx: ActorContext,
    statement: CompanyStatement,
    at: Date,
    until: Date,
  ): Promise<void> {
    await this.end(tx, ctx.organisationId, statement, at, until);
    await this.write(tx, ctx, statement, at);
  }

  private async end(
    tx: Tx,
    organisationId: string,
    { companyId, people }: CompanyStatement,
    at: Date,
    until: Date,
  ): Promise<void> {
    const openRelations = await tx.findBy(CustomerRelationEntity, {
      ...{ organisationId, companyId, endedAt: IsNull() },
      recordedAt: LessThanOrEqual(until),
    });
    for (const kind of ['OWNER', 'REPRESENTATIVE'] as const) {
      const namedIds = people.filter((one) => one.kind === kind).map(({ personId }) => personId);
      const removed = openRelations.filter((one) => one.kind === kind && !namedIds.includes(one.personId));
      const personId = In(removed.map((one) => one.personId));
      await tx.update(CustomerRelationEntity, { organisationId, companyId, kind, personId }, { endedAt: at });
    }
  }

  private async write(
    tx: Tx,
    ctx: ActorContext,
    { companyId, sessionId, people, endsOthers }: CompanyStatement,
    at: Date,
  ): Promise<void> {
    await this.audit.record(
      tx,
      customerAuditDraft(ctx, companyId, 'customer.people_recorded', at, {
        people: people.map(({ personId, kind }) => `${kind}:${personId}`).sort(),
        session: sessionId,
        endsOthers,
      }),
    );
  }
}
