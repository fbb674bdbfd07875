import { Injectable } from '@nestjs/common';
import { ApprovalReaderService } from '../../approvals/index.js';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError, required } from '../../../platform/kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import { Vault } from '../../../platform/privacy/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { profileContextOf, parseProfile } from '../customer-seal.js';
import type { CustomerProfile, DeclarationSource } from '../domain/customer.js';
import { confirmedRiskOf } from '../domain/confirmation.js';
import { applyNewerValues, UNCONFIRMED } from '../domain/declarations.js';
import type { CustomerRiskLevel } from '../domain/merging.js';
import type { CustomerObservation } from '../domain/observation.js';
import { validateRow, type ProfileRow, type RowProblem } from '../domain/profile-row.js';
import { ForeseenPeople, type ForeseenPerson } from '../identification/foreseen-people.js';
import { CustomerIdentificationService } from '../identification/customer-identification.service.js';
import { isLowerRisk } from '../records/customer-changes.service.js';
import { CustomerProfileRepository, type ProfileRecord } from '../store/customer-profile.repository.js';

/** Maximum number of rows per commit. */
const BATCH = 500;
// Maximum number of attempts of a batch while transactions of the same customers change their records.
const MAX_TRIES = 5;

/** The outcome of a bulk change. */
export interface ProfilesOutcome {
  readonly rows: number;
  /** Customers who had no record before. */
  readonly created: number;
  /** Rows that changed a record; with `preview`, rows that would change a record. */
  readonly changed: number;
  /** Rows that add nothing to a record. */
  readonly unchanged: number;
  readonly problems: readonly RowProblem[];
}

export interface ProfilesOptions {
  readonly clientAppId: string | null;
  /** True to report the outcome and write nothing. */
  readonly preview: boolean;
}

interface OpenRecord {
  readonly record: ProfileRecord;
  readonly profile: CustomerProfile;
}

interface BatchOptions extends ProfilesOptions {
  /** The people of the file so far. */
  readonly people: ForeseenPeople;
  /** The records as earlier rows of a preview would leave them. */
  readonly foreseen: Map<string, OpenRecord>;
  /** True if one person alone allowed the application to write; null if an operator writes. */
  readonly singleControl: boolean | null;
}

type Line = { readonly line: number; readonly value: unknown } | RowProblem;

interface Change extends OpenRecord {
  readonly riskLevel: CustomerRiskLevel | null;
  readonly fields: readonly string[];
}

interface Outcomes {
  created: number;
  changed: number;
  unchanged: number;
  readonly problems: RowProblem[];
}

const dayOf = localDayIn(BRAZIL_TIME_ZONE);

/**
 * Changes many profiles, one commit per batch. A new customer causes no event, because the rows are history. Rows that
 * were stored already change nothing more, so an interrupted upload is simply sent again.
 */
@Injectable()
export class CustomerProfilesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly identification: CustomerIdentificationService,
    private readonly profiles: CustomerProfileRepository,
    private readonly approvals: ApprovalReaderService,
  ) {}

  async put(ctx: ActorContext, lines: readonly Line[], options: ProfilesOptions): Promise<ProfilesOutcome> {
    const outcome: Outcomes = { created: 0, changed: 0, unchanged: 0, problems: [] };
    const today = dayOf(this.clock.now());
    const singleControl =
      options.clientAppId === null
        ? null
        : await this.approvals.isSingleControl(ctx.organisationId, 'client_app.grant', options.clientAppId);
    let people = new ForeseenPeople();
    const foreseen = new Map<string, OpenRecord>();
    for (let from = 0; from < lines.length; from += BATCH) {
      const rows: ProfileRow[] = [];
      for (const one of lines.slice(from, from + BATCH)) {
        const result = 'code' in one ? { problems: [one] } : validateRow(one.line, one.value, today);
        if ('row' in result) rows.push(result.row);
        else outcome.problems.push(...result.problems);
      }
      await this.putBatch(ctx, rows, { ...options, people, foreseen, singleControl }, outcome);
      // Whom a batch of an upload made is found by the next one.
      if (!options.preview) people = new ForeseenPeople();
    }
    outcome.problems.sort((a, b) => a.line - b.line);
    return { rows: lines.length, ...outcome };
  }

  private async putBatch(
    ctx: ActorContext,
    rows: readonly ProfileRow[],
    options: BatchOptions,
    outcome: Outcomes,
  ): Promise<void> {
    const people = await this.identification.foresee(observationsOf(ctx, rows, options), options.people);
    const accepted = rows.flatMap((row, i) => {
      const person = people[i];
      const field = person?.separateKey ?? null;
      // One operator does not join customers.
      if (field !== null) outcome.problems.push(problem(row, field, 'NOT_ONE_CUSTOMER', NOT_ONE));
      return person && field === null ? [{ row, person }] : [];
    });
    const ids = options.preview
      ? accepted.map(({ person }) => person.customerId)
      : await this.identify(
          ctx,
          accepted.map(({ row }) => row),
          options,
        );
    const strangers = accepted.flatMap(({ person }) => (person.isNew ? person : []));
    const existingIds = new Set(accepted.flatMap(({ person }) => (person.isNew ? [] : person.customerId)));
    const createdIds = new Set(
      options.preview
        ? strangers.map(({ customerId }) => customerId)
        : ids.filter((id) => !existingIds.has(id)),
    );
    outcome.created += createdIds.size;
    if (options.preview) for (const person of strangers) options.foreseen.set(...newRecord(ctx, person));
    let waiting = accepted.map(({ row }, i) => ({ row, id: required(ids[i], 'the customer of a row') }));
    for (let tries = 1; waiting.length > 0; tries += 1) {
      if (tries > MAX_TRIES) throw new DomainError('STATE_CONFLICT');
      const later = await this.applyRows(ctx, waiting, { ...options, made: createdIds }, outcome);
      waiting = waiting.filter(({ id }) => later.has(id));
    }
  }

  private async identify(
    ctx: ActorContext,
    rows: readonly ProfileRow[],
    options: ProfilesOptions,
  ): Promise<string[]> {
    const observations = observationsOf(ctx, rows, options);
    const identifications = await this.identification.identify(observations);
    // An id that an earlier row gives to a person who has too many is looked for once more, by itself.
    const missingObservations = observations.filter((_, i) => !identifications[i]);
    const again =
      missingObservations.length > 0 ? await this.identification.identify(missingObservations) : [];
    return identifications.map((one) => required(one ?? again.shift(), 'the customer of a row').customerId);
  }

  /** Applies rows; returns the customers whose records others changed meanwhile, for another attempt. */
  private async applyRows(
    ctx: ActorContext,
    rows: readonly { readonly row: ProfileRow; readonly id: string }[],
    { preview, singleControl, foreseen, made }: BatchOptions & { readonly made: ReadonlySet<string> },
    outcome: Outcomes,
  ): Promise<ReadonlySet<string>> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    const records = await this.decryptRecords(
      organisationId,
      rows.map(({ id }) => id),
    );
    const changes = new Map<string, Change>();
    const counts = new Map<string, { changed: number; unchanged: number; problems: RowProblem[] }>();
    for (const { row, id } of rows) {
      const known = foreseen.get(id) ?? records.get(id);
      // The record was erased since it was found; when the row is sent again, it creates a new customer.
      if (!known) {
        outcome.problems.push(problem(row, '', 'CUSTOMER_NOT_FOUND', 'The record was erased meanwhile.'));
        continue;
      }
      const isFirst = made.has(id) && !counts.has(id);
      const count = counts.get(id) ?? { changed: 0, unchanged: 0, problems: [] };
      counts.set(id, count);
      const before = changes.get(id) ?? { ...known, riskLevel: known.record.riskLevel, fields: [] };
      const after = applyRow(before, row, statementOf(ctx, row, now, singleControl));
      if (after && 'code' in after) count.problems.push(after);
      else if (after) {
        count.changed += 1;
        changes.set(id, after);
      } else if (isFirst) count.changed += 1;
      else count.unchanged += 1;
    }
    if (preview) {
      for (const [id, { record, profile, riskLevel }] of changes) {
        foreseen.set(id, { record: { ...record, riskLevel }, profile });
      }
    }
    const writtenIds = preview
      ? new Set(changes.keys())
      : await this.writeChanges(ctx, [...changes.values()], now);
    const later = new Set([...changes.keys()].filter((id) => !writtenIds.has(id)));
    for (const [id, count] of counts) {
      if (later.has(id)) continue;
      outcome.changed += count.changed;
      outcome.unchanged += count.unchanged;
      outcome.problems.push(...count.problems);
    }
    return later;
  }

  private async decryptRecords(
    organisationId: string,
    ids: readonly string[],
  ): Promise<Map<string, OpenRecord>> {
    const records = await this.profiles.find(organisationId, [...new Set(ids)]);
    const plaintexts = await this.vault.openMany(
      records.map((record) => ({ sealed: record.sealed, context: profileContextOf(record) })),
    );
    return new Map(
      records.flatMap((record, i) => {
        const plaintext = plaintexts[i];
        return plaintext ? [[record.id, { record, profile: parseProfile(plaintext) }] as const] : [];
      }),
    );
  }

  private async writeChanges(
    ctx: ActorContext,
    changes: readonly Change[],
    at: Date,
  ): Promise<ReadonlySet<string>> {
    if (changes.length === 0) return new Set();
    const subjects = changes.map(({ record }) => ({
      organisationId: record.organisationId,
      index: record.subjectIndex,
    }));
    await this.vault.prepare(subjects);
    const by = ctx.actor.type === 'operator' ? ('OPERATOR' as const) : ('SYSTEM' as const);
    const rows = changes.map(({ record, profile, riskLevel }, i) => ({
      id: record.id,
      before: record.sealed,
      sealed: this.vault.seal(
        JSON.stringify(profile),
        required(subjects[i], 'the subject of a record'),
        profileContextOf(record),
      ),
      riskLevel,
      ...(riskLevel === record.riskLevel
        ? { riskLevelBy: record.riskLevelBy, riskConfirmed: record.riskConfirmed }
        : { riskLevelBy: by, riskConfirmed: by === 'OPERATOR' ? confirmedRiskOf(record) : riskLevel }),
    }));
    return this.uow.run(ctx.organisationId, async (tx) => {
      const writtenIds = await this.profiles.write(tx, ctx.organisationId, rows);
      await this.audit.record(
        tx,
        changes
          .filter(({ record }) => writtenIds.has(record.id))
          .flatMap(({ record, riskLevel, fields }) => [
            ...(fields.length > 0
              ? [customerAuditDraft(ctx, record.id, 'customer.profile_changed', at, { fields, by: 'BULK' })]
              : []),
            ...(riskLevel === record.riskLevel
              ? []
              : [
                  customerAuditDraft(ctx, record.id, 'customer.risk_changed', at, {
                    level: riskLevel,
                    before: record.riskLevel,
                  }),
                ]),
          ]),
      );
      return writtenIds;
    });
  }
}

const observationsOf = (
  { organisationId, requestId, correlationId }: ActorContext,
  rows: readonly ProfileRow[],
  { clientAppId }: ProfilesOptions,
): CustomerObservation[] =>
  rows.map(({ externalCustomerId, taxId, name, birthDate }) => ({
    ...{ externalCustomerId, taxId, clientAppId, organisationId, requestId },
    // Name and birth date that one operator uploads are added later and marked as unconfirmed; a new record does not
    // begin with them.
    ...(clientAppId === null ? { name: null, birthDate: null } : { name, birthDate }),
    by: 'OPERATOR',
    quiet: true,
    keepsApart: clientAppId === null,
    correlationId: correlationId ?? '',
    traceparent: null,
  }));

const NOT_ONE = "Not known of one customer: the institution's own system says that they are one.";

/** The record that a row of a preview would begin. */
const newRecord = (
  { organisationId }: ActorContext,
  { customerId: id, subjectIndex }: ForeseenPerson,
): [string, OpenRecord] => [
  id,
  {
    record: {
      ...{ id, organisationId, subjectIndex, sealed: Buffer.alloc(0) },
      ...{ riskLevel: null, riskLevelBy: null, riskConfirmed: null },
    },
    profile: {
      ...{ name: null, document: null, documentMasked: null, externalCustomerId: null },
      ...{ birthDate: null, nationalities: [] },
    },
  },
];

const problem = ({ line }: ProfileRow, path: string, code: string, message: string): RowProblem => ({
  ...{ line, path, code, message },
});

const statementOf = (
  { actor }: ActorContext,
  { asOf }: ProfileRow,
  now: Date,
  singleControl: boolean | null,
): DeclarationSource => ({
  by: actor.type === 'operator' ? 'UPLOAD' : 'CLIENT',
  ref: null,
  at: asOf === null ? now.toISOString() : `${asOf}T00:00:00.000Z`,
  ...(singleControl === null ? UNCONFIRMED : { singleControl }),
});

/** Applies a row; null if it changes nothing, a problem if one person may not write it. */
function applyRow(before: Change, row: ProfileRow, statement: DeclarationSource): Change | RowProblem | null {
  const { change, birthDate, name, riskLevel: wantedLevel } = row;
  const { declared: known, ...person } = before.profile;
  const isExposed = known?.pep === true || known?.from?.pep?.unconfirmed?.before === true;
  if (isExposed && change.pep === false && !statement.unconfirmed) {
    const message =
      'Known as politically exposed: an operator writes down the end of that, and another confirms it.';
    return problem(row, 'pep', 'VALUE_NOT_ALLOWED', message);
  }
  if (wantedLevel !== null && isLowerRisk(wantedLevel, before.riskLevel)) {
    const message = 'A lower level is asked for at the customer; a second person approves it.';
    return problem(row, 'riskLevel', 'FOUR_EYES_REQUIRED', message);
  }
  const fuller = applyNewerValues(known, change, statement);
  const changedFields = {
    ...(birthDate !== null && birthDate !== person.birthDate && { birthDate }),
    ...(birthDate !== null &&
      statement.unconfirmed &&
      person.birthDate === null && { birthDateUnconfirmed: true }),
    ...(name !== null && person.name === null && { name }),
    ...(name !== null && statement.unconfirmed && person.name === null && { nameUnconfirmed: true }),
  };
  if (changedFields.birthDate && person.birthDate && statement.unconfirmed) {
    const message = "Known otherwise: the institution's own system corrects it.";
    return problem(row, 'birthDate', 'VALUE_NOT_ALLOWED', message);
  }
  const riskLevel = wantedLevel ?? before.riskLevel;
  const fields = [
    ...(fuller?.members ?? []),
    ...Object.keys(changedFields).filter((key) => !key.endsWith('Unconfirmed')),
  ];
  if (fields.length === 0 && riskLevel === before.riskLevel) return null;
  return {
    record: before.record,
    profile: { ...before.profile, ...changedFields, ...(fuller && { declared: fuller.profile }) },
    riskLevel,
    fields: [...new Set([...before.fields, ...fields])].sort(),
  };
}
