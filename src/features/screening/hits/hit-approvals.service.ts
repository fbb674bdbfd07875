import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  SummarizeSubjects,
  summaryLine,
  type ChangedValues,
  type SubjectSummary,
  type SummaryLine,
  type SummaryWords,
} from '../../approvals/index.js';
import { AuditTrail, formatActor, auditDraftOf, type ActorContext } from '../../audit/index.js';
import { countMergedRecords, CustomerRecordsService, maskedName } from '../../customers/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { Clock, conflict, errorAt, publicId, type DomainError } from '../../../platform/kernel/index.js';
import { Vault } from '../../../platform/privacy/index.js';
import {
  hitFlow,
  needsSecondPerson,
  REMEMBERED_DAYS,
  statusesBefore,
  type Disposition,
} from '../domain/hit.js';
import type { ValueType } from '../domain/lists/list-entry.js';
import type { HitRow } from '../domain/records.js';
import { ScreeningHitEntity } from '../store/entities.js';
import { FreezesService } from './freezes.service.js';
import {
  HitDispositionService,
  justificationEncryptionContext,
  type HitExplanation,
} from './hit-disposition.service.js';
import { HitMergeRepository } from '../store/hit-merge.repository.js';
import { lockHit } from '../store/hit.repository.js';

export interface HitDecision {
  readonly disposition: Disposition;
  readonly justification: string;
}

const DAY_MS = 86_400_000;
const NAME_COMPARED: SummaryWords = { 'pt-BR': 'Nome comparado', en: 'Name compared' };
const NAME_ON_LIST: SummaryWords = { 'pt-BR': 'Nome na lista', en: 'Name on the list' };
const ALSO_EQUAL: SummaryWords = { 'pt-BR': 'Também igual', en: 'Also equal' };
/** The words for the kinds of values that a party may share with an entry. */
const EQUAL: Readonly<Record<ValueType, SummaryWords>> = {
  DOCUMENT: { 'pt-BR': 'documento', en: 'document' },
  ACCOUNT: { 'pt-BR': 'conta', en: 'account' },
  PIX_KEY: { 'pt-BR': 'chave PIX', en: 'PIX key' },
  WALLET: { 'pt-BR': 'carteira', en: 'wallet' },
  DEVICE: { 'pt-BR': 'aparelho', en: 'device' },
  IP: { 'pt-BR': 'endereço IP', en: 'IP address' },
  COUNTRY: { 'pt-BR': 'país', en: 'country' },
  IDENTIFIER: { 'pt-BR': 'identificador', en: 'identifier' },
};

/** Decides about hits. A mandatory hit holds the transaction until two people close it. */
@Injectable()
export class HitApprovalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly dispositions: HitDispositionService,
    private readonly freezes: FreezesService,
    private readonly audit: AuditTrail,
    private readonly vault: Vault,
    private readonly customers: CustomerRecordsService,
    private readonly clock: Clock,
    private readonly hitMerge: HitMergeRepository,
  ) {}

  /** Confirms, dismisses or escalates a hit. Throws FOUR_EYES_REQUIRED if that would close a mandatory hit. */
  async decide(ctx: ActorContext, id: string, decision: HitDecision): Promise<HitRow> {
    const hit = await this.dispositions.get(ctx.organisationId, id);
    if (needsSecondPerson(hit, decision.disposition)) {
      throw errorAt(
        'FOUR_EYES_REQUIRED',
        'disposition',
        'PROPOSE_IT',
        'Propose it: POST /operator/hits/{id}/proposals.',
      );
    }
    await this.uow.run(ctx.organisationId, (tx) => this.decideIn(tx, ctx, hit, decision, false));
    return this.dispositions.get(ctx.organisationId, id);
  }

  /** Requests the approval of a decision. Throws STATE_CONFLICT for a hit that is decided or needs one person only. */
  async propose(ctx: ActorContext, id: string, decision: HitDecision): Promise<Approval> {
    const { disposition, justification } = decision;
    const hit = await this.dispositions.get(ctx.organisationId, id);
    if (!needsSecondPerson(hit, disposition) || !hitFlow.allows(hit.status, disposition)) throw notFromHere();
    return this.uow.run(ctx.organisationId, async (tx) => {
      const lockedHit = await lockHit(tx, ctx.organisationId, id);
      const before = await valuesOf(tx, lockedHit);
      const after = { disposition, list: hit.listKey };
      const request = { act: 'hit.decide' as const, subjectId: id, before, after };
      return this.approvals.request(tx, ctx, { ...request, reason: justification });
    });
  }

  /** Throws the errors of `propose` for the state of the hit, without any change. */
  async checkDecision(organisationId: string, id: string, { disposition }: HitDecision): Promise<null> {
    const hit = await this.dispositions.get(organisationId, id);
    if (!needsSecondPerson(hit, disposition) || !hitFlow.allows(hit.status, disposition)) throw notFromHere();
    return null;
  }

  /** Includes the entry and the person: if the entry changes or records merge, the pending request no longer applies. */
  @CurrentValues('hit.decide')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    return valuesOf(tx, await lockHit(tx, organisationId, subjectId));
  }

  @SummarizeSubjects('screening_hit')
  async summarize(
    operator: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    return this.summarizeHits(operator, new Map(approvals.map(({ id, subjectId }) => [id, subjectId])));
  }

  /** Summarizes the end of a freeze by the hit for which the person was frozen. */
  @SummarizeSubjects('freeze')
  async summarizeFreezes(
    operator: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    const hitIds = await this.freezes.findHitIds(
      operator.organisationId,
      approvals.map(({ subjectId }) => subjectId),
    );
    return this.summarizeHits(
      operator,
      new Map(
        approvals.flatMap(({ id, subjectId }) => {
          const hitId = hitIds.get(subjectId);
          return hitId === undefined ? [] : [[id, hitId] as const];
        }),
      ),
    );
  }

  /** Summarizes requests, given the hit of each. */
  private async summarizeHits(
    { organisationId, permissions }: OperatorPrincipal,
    hitIds: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('screening:read')) return new Map();
    const ids = [...new Set(hitIds.values())];
    const hits = new Map(
      (await this.dispositions.findByIds(organisationId, ids)).map((hit) => [hit.id, hit]),
    );
    const customerIds = [...hits.values()].flatMap(({ customerId }) => customerId ?? []);
    const names = await this.customers.readDisplayNames(organisationId, customerIds, permissions);
    const rows = [...hits.values()];
    const explanations = await this.dispositions.readExplanations(rows);
    const lines = new Map(
      rows.map((hit, i) => [hit.id, linesOf(explanations[i] ?? null, permissions.has('customers:read'))]),
    );
    return new Map(
      [...hitIds].flatMap(([id, hitId]) => {
        const hit = hits.get(hitId);
        if (!hit) return [];
        const { customerId, transactionRef } = hit;
        const customerName = customerId === null ? null : (names.get(customerId) ?? null);
        const transactions = transactionRef === null ? null : 1;
        return [[id, { customerId, customerName, transactions, lines: lines.get(hit.id) ?? [] }] as const];
      }),
    );
  }

  @ApplyAct('hit.decide')
  async applyDecision(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId, change, reason } = approval;
    const hit = await this.dispositions.get(organisationId, subjectId);
    const disposition = change.after['disposition'] as Disposition;
    const decision = { disposition, justification: reason };
    await this.decideIn(tx, ctx, hit, decision, approval.singleControl);
  }

  private async decideIn(
    tx: Tx,
    ctx: ActorContext,
    hit: HitRow,
    decision: HitDecision,
    singleControl: boolean,
  ): Promise<void> {
    const { id, organisationId } = hit;
    const { disposition } = decision;
    const justification = await this.vault.sealOne(
      decision.justification,
      this.vault.organisationSubject(organisationId),
      justificationEncryptionContext(hit),
    );
    const { affected } = await tx.update(
      ScreeningHitEntity,
      { organisationId, id, status: In(statusesBefore(disposition)) },
      {
        status: disposition,
        decidedBy: formatActor(ctx),
        decidedAt: () => 'now()',
        decidedAs: null,
        justification,
        expiresAt:
          disposition === 'DISMISSED_FALSE_POSITIVE'
            ? new Date(this.clock.now() + REMEMBERED_DAYS * DAY_MS)
            : null,
        singleControl,
      },
    );
    if (affected === 0) throw notFromHere();
    // After a merge two hits may be about one person and one entry. They are one question.
    const twins = await this.hitMerge.lockTwins(tx, organisationId, id, statusesBefore(disposition));
    for (const twin of twins) await this.hitMerge.copyDecision(tx, organisationId, twin.id, id);
    const now = new Date(this.clock.now());
    await this.audit.record(
      tx,
      [hit, ...twins].map((one) =>
        auditDraftOf(ctx, 'screening_hit', one.id, 'hit.decided', now, {
          disposition,
          before: one.status,
          ...(one.id === id ? {} : { as: publicId('hit', id) }),
          list: one.listKey,
          entryHash: one.entryHash,
          mandatory: one.mandatory,
        }),
      ),
    );
    if (disposition === 'CONFIRMED' && hit.mandatory && hit.listKind === 'SANCTIONS') {
      await this.freezes.placeFreeze(tx, ctx, id);
    }
  }
}

async function valuesOf(tx: Tx, hit: ScreeningHitEntity): Promise<ChangedValues> {
  const { organisationId, status, entryHash, mandatory, customerId, forCustomerId } = hit;
  const affectedCustomerId = customerId ?? forCustomerId;
  const mergedRecords =
    affectedCustomerId === null ? 0 : await countMergedRecords(tx, organisationId, affectedCustomerId);
  return { status, entryHash: Buffer.from(entryHash).toString('hex'), mandatory, mergedRecords };
}

const notFromHere = (): DomainError =>
  conflict('disposition', 'NOT_FROM_HERE', 'The hit is not in a state to be decided so.');

/** Both names of a hit and what else is equal; null explanation if the person was erased. */
function linesOf(explanation: HitExplanation | null, showsNames: boolean): readonly SummaryLine[] {
  if (!explanation) return [];
  const { asked, found, equal } = explanation;
  return [
    ...(asked === null
      ? []
      : [summaryLine(NAME_COMPARED, null, showsNames ? asked : (maskedName(asked) ?? '—'))]),
    summaryLine(NAME_ON_LIST, null, found),
    ...(equal.length === 0
      ? []
      : [
          summaryLine(ALSO_EQUAL, null, {
            'pt-BR': equal.map((type) => EQUAL[type as ValueType]['pt-BR']).join(', '),
            en: equal.map((type) => EQUAL[type as ValueType].en).join(', '),
          }),
        ]),
  ];
}
