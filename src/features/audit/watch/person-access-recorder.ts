import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import {
  personRecords,
  ReadRecorder,
  type OperatorPrincipal,
  type PersonRecord,
} from '../../../platform/http/index.js';
import { Clock, uuidOf } from '../../../platform/kernel/index.js';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { RequestContext } from '../../../platform/telemetry/index.js';
import { auditDraftOf } from '../actor-context.js';
import { stateTrailId } from '../domain/state.js';
import { readAccess, lockChains } from '../store/trail.statements.js';
import { AuditTrail, chainName } from '../trail/audit-trail.js';

const HOUR_MS = 3_600_000;
const MAX_REMEMBERED = 100_000;

/** Decorates a method that resolves an alternative name of a record to its UUID; throws if the name is unknown. */
export const OtherName = registration<
  (organisationId: string, name: string) => Promise<string>,
  PersonRecord
>('other names of records');

/**
 * Records who opened which record of a person: an entry for each operator, record and hour. Each record has a separate
 * trail for that (`access:customer:…`), apart from the trail of its changes.
 */
@Injectable()
export class PersonAccessRecorder extends ReadRecorder {
  /** The accesses recorded in the current hour, as `operator record`. */
  private readonly accessesThisHour = new Set<string>();
  private currentHour = 0;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async record(
    { organisationId, id: operatorId }: OperatorPrincipal,
    context: RequestContext,
    of: PersonRecord,
    name: string,
  ): Promise<void> {
    const personId = uuidOf(personRecords[of], name);
    const id =
      personId ?? (await this.registry.methodsOf(OtherName).get(of)?.call(organisationId, name)) ?? null;
    if (id === null) return;
    const at = this.clock.now();
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== this.currentHour || this.accessesThisHour.size >= MAX_REMEMBERED) {
      this.accessesThisHour.clear();
    }
    this.currentHour = hour;
    const record = stateTrailId({ type: of, id });
    const key = `${operatorId} ${record}`;
    if (this.accessesThisHour.has(key)) return;
    const actor = { type: 'operator', id: operatorId } as const;
    const isThere = await this.uow.run(organisationId, async (tx) => {
      await lockChains(tx, [chainName({ organisationId, type: 'access', id: record })]);
      const subject = { organisationId, type: of, id };
      const { known, noted } = await readAccess(tx, subject, `${actor.type}:${actor.id}`);
      if (!known || noted) return known;
      const { requestId, correlationId } = context;
      const ctx = { organisationId, actor, requestId, correlationId };
      await this.trail.record(tx, auditDraftOf(ctx, 'access', record, 'access.noted', new Date(at), {}));
      return true;
    });
    if (isThere) this.accessesThisHour.add(key);
  }
}
