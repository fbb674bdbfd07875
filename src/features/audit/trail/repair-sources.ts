import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { AuditSubject, SubjectType } from '../domain/entry.js';
import type { TrailGap } from '../domain/trail.js';

/** A row of a subject that becomes again what a sealed entry or receipt says of it. */
export interface RederivedRow {
  readonly table: string;
  /** Columns that tell it from other rows of the subject, as JSON. */
  readonly which: Readonly<Record<string, unknown>>;
  /** Columns by name, with their values as JSON. */
  readonly patch: Readonly<Record<string, unknown>>;
}

/** Evidence in other durable rows about gaps of a trail. */
export interface RepairEvidence {
  /** The gaps that it answers. */
  readonly answers: readonly TrailGap[];
  /** Names and digests of what it rests on; nothing of a person. */
  readonly evidence: Readonly<Record<string, string>>;
  /** Rows that are put back when two people have agreed. */
  readonly rows?: readonly RederivedRow[];
}

type Repair = (subject: AuditSubject, gaps: readonly TrailGap[]) => Promise<RepairEvidence | null>;

/** The method proves what a trail lacks from rows that say the same as the missing entries did; null when it cannot. */
export const ReconstructTrail = registration<Repair, SubjectType>('reconstruction of trails');

/** The method proves what a trail lacks by deciding again from what is stored; null when it cannot. */
export const RederiveTrail = registration<Repair, SubjectType>('re-derivation of trails');

/** How trails are repaired, as the features that own their subjects say. */
@Injectable()
export class RepairSources {
  constructor(private readonly registry: Registry) {}

  async ask(
    subject: AuditSubject,
    kind: 'RECONSTRUCT' | 'RE_DERIVE',
    gaps: readonly TrailGap[],
  ): Promise<RepairEvidence | null> {
    const repairs = this.registry.of(kind === 'RECONSTRUCT' ? ReconstructTrail : RederiveTrail);
    return (await repairs.get(subject.type)?.call(subject, gaps)) ?? null;
  }
}
