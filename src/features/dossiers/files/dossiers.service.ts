import { Injectable } from '@nestjs/common';
import { type ActorContext, isBlocking } from '../../audit/index.js';
import { throttlePages } from '../../../platform/kernel/work/long-work.js';
import { Clock, DomainError, pick, publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { TransactionArchiveService } from '../../kyt/index.js';
import { HitDispositionService, type HitRow } from '../../screening/index.js';
import { ArtifactsService } from '../../uploads/index.js';
import { DossierCases } from './dossier-cases.js';
import { DossierOperators } from './dossier-operators.js';
import { DossierExports } from './dossier-exports.js';
import { DossierScopes, type DossierScope } from './dossier-scopes.js';
import { DossierTrails } from './dossier-trails.js';
import type {
  Dossier,
  DossierCommunication,
  DossierHit,
  DossierTrail,
  DossierTransaction,
} from '../domain/dossier.js';
import type { DossierLanguage } from '../domain/language.js';
import {
  dossierArtifactOf,
  dossierCustomerOf,
  dossierSessionOf,
  dossierTransactionOf,
} from '../domain/dossier-mapping.js';

export interface DossierOptions {
  readonly format: 'json' | 'pdf';
  readonly language: DossierLanguage;
  /** If true, the dossier is refused unless all its trails are complete. */
  readonly auditReady: boolean;
}

// Maximum transactions in memory: the receipt of one evaluation has several kilobytes.
const PAGE = 50;

/** Composes dossiers of customers and cases. */
@Injectable()
export class DossiersService {
  constructor(
    private readonly scopes: DossierScopes,
    private readonly trails: DossierTrails,
    private readonly cases: DossierCases,
    private readonly archive: TransactionArchiveService,
    private readonly hits: HitDispositionService,
    private readonly artifacts: ArtifactsService,
    private readonly exports: DossierExports,
    private readonly dossierOperators: DossierOperators,
    private readonly clock: Clock,
  ) {}

  /** Returns the dossier of a customer by stored id. The export is audited before its first byte is sent. */
  async ofCustomer(ctx: ActorContext, id: string, options: DossierOptions): Promise<Dossier> {
    const scope = await this.scopes.ofCustomer(ctx.organisationId, id);
    return this.compose(ctx, options, scope.customer.id, scope);
  }

  /** Returns the dossier of a case by stored id. The export is audited before its first byte is sent. */
  async ofReview(ctx: ActorContext, id: string, options: DossierOptions): Promise<Dossier> {
    return this.compose(ctx, options, id, await this.scopes.ofReview(ctx.organisationId, id));
  }

  private async compose(
    ctx: ActorContext,
    options: DossierOptions,
    id: string,
    scope: DossierScope,
  ): Promise<Dossier> {
    const { organisationId } = ctx;
    const { trail, transactionCount } = await this.trails.verify(organisationId, scope);
    if (options.auditReady && isBlocking(trail)) throw incompleteError(trail);
    const subjectType = scope.about === 'CUSTOMER' ? 'customer' : 'review';
    const exportId = await this.exports.record(ctx, {
      ...{
        about: subjectType,
        id,
        format: options.format,
        language: options.language,
        auditReady: options.auditReady,
      },
      revealed: false,
      trail: trail.status,
    });
    const generatedBy = toPublicActor(`${ctx.actor.type}:${ctx.actor.id}`);
    const cases = await this.cases.read(scope.reviews);
    const hits = await this.toDossierHits(scope.hits);
    return {
      head: {
        id: exportId,
        about: scope.about,
        subjectId: publicId(scope.about === 'CUSTOMER' ? 'cus' : 'rev', id),
        generatedAt: new Date(this.clock.now()).toISOString(),
        generatedBy,
        auditReady: options.auditReady,
        trail,
        institution: await this.dossierOperators.findInstitution(organisationId),
        ...(await this.dossierOperators.findOperators(organisationId, generatedBy, cases, hits)),
      },
      customer: scope.customer && dossierCustomerOf(scope.customer),
      ...{ cases, hits },
      communications: await this.communicationsOf(organisationId, scope),
      sessions: scope.sessions.map(dossierSessionOf),
      artifacts: scope.customer
        ? (await this.artifacts.listByCustomer(organisationId, scope.customer.id)).map(dossierArtifactOf)
        : [],
      transactionCount,
      iterateTransactions: () => throttlePages(organisationId, this.transactionsOf(organisationId, scope)),
    };
  }

  private async *transactionsOf(
    organisationId: string,
    { transactionIds }: DossierScope,
  ): AsyncGenerator<readonly DossierTransaction[]> {
    for await (const ids of transactionIds()) {
      for (let from = 0; from < ids.length; from += PAGE) {
        const archivedTransactions = await this.archive.findByIds(
          organisationId,
          ids.slice(from, from + PAGE),
        );
        const decided = archivedTransactions.flatMap(({ evaluations }) =>
          evaluations.flatMap(({ decision }) => decision?.reviewId ?? []),
        );
        const deciders = await this.cases.findDeciders(organisationId, [...new Set(decided)]);
        yield archivedTransactions.map((one) => dossierTransactionOf(one, deciders));
      }
    }
  }

  private async toDossierHits(rows: readonly HitRow[]): Promise<DossierHit[]> {
    const explanations = await this.hits.readExplanations(rows);
    const justifications = await this.hits.readJustifications(rows);
    return rows.map((row, i) => ({
      id: publicId('hit', row.id),
      list: row.listKey,
      listKind: row.listKind,
      entry: row.entryKey,
      foundName: explanations[i]?.found ?? null,
      ...pick(row, 'strength', 'score', 'mandatory', 'status'),
      foundAt: row.createdAt.toISOString(),
      decidedBy: row.decidedBy && toPublicActor(row.decidedBy),
      decidedAt: row.decidedAt?.toISOString() ?? null,
      justification: justifications[i] ?? null,
    }));
  }

  private async communicationsOf(
    organisationId: string,
    scope: DossierScope,
  ): Promise<DossierCommunication[]> {
    return (await this.scopes.communicationsIn(organisationId, scope)).map((row) => ({
      id: publicId('com', row.id),
      kind: row.kind,
      status: row.status,
      dueAt: row.dueAt.toISOString(),
      filingNumber: row.filingNumber,
      receivedAt: row.receivedAt?.toISOString() ?? null,
    }));
  }
}

const incompleteError = (trail: DossierTrail): DomainError =>
  new DomainError('AUDIT_TRAIL_INCOMPLETE', {
    details: trail.incomplete.map(({ subject, status }) => ({
      path: subject,
      code: status,
      message: 'The trail of this subject is not complete and unchanged.',
    })),
  });
