import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { AuditSubject, SubjectType } from '../domain/entry.js';
import type { TrailGap } from '../domain/trail.js';

/** A row whose columns are restored from a sealed entry or receipt. */
export interface RederivedRow {
  readonly table: string;
  /** Columns that identify the row among the rows of the subject, as JSON. */
  readonly which: Readonly<Record<string, unknown>>;
  /** New values as JSON, keyed by column name. */
  readonly patch: Readonly<Record<string, unknown>>;
}

/** Evidence in other rows that explains gaps of a trail. */
export interface RepairEvidence {
  /** The gaps that the evidence explains. */
  readonly answers: readonly TrailGap[];
  /** Names and digests of the evidence; no personal data. */
  readonly evidence: Readonly<Record<string, string>>;
  /** Rows to restore when two people have agreed. */
  readonly rows?: readonly RederivedRow[];
}

type Repair = (subject: AuditSubject, gaps: readonly TrailGap[]) => Promise<RepairEvidence | null>;

/** Decorates a method that finds rows with the content of missing entries, as evidence; null if it finds none. */
export const ReconstructTrail = registration<Repair, SubjectType>('reconstruction of trails');

/** Decorates a method that gets evidence by evaluating stored facts and rules again; null if it cannot. */
export const RederiveTrail = registration<Repair, SubjectType>('re-derivation of trails');

/** Asks the feature that owns a subject for the evidence of a repair. */
@Injectable()
export class RepairSources {
  constructor(private readonly registry: Registry) {}

  async findEvidence(
    subject: AuditSubject,
    kind: 'RECONSTRUCT' | 'RE_DERIVE',
    gaps: readonly TrailGap[],
  ): Promise<RepairEvidence | null> {
    const repairs = this.registry.methodsOf(kind === 'RECONSTRUCT' ? ReconstructTrail : RederiveTrail);
    return (await repairs.get(subject.type)?.call(subject, gaps)) ?? null;
  }
}
