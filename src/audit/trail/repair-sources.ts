import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../registry/index.js';
import type { AuditSubject, SubjectType } from '../domain/entry.js';
import type { TrailGap } from '../domain/trail.js';

/** Evidence in other durable rows about gaps of a trail. */
export interface RepairEvidence {
  /** The gaps that it answers. */
  readonly answers: readonly TrailGap[];
  /** Names and digests of what it rests on; nothing of a person. */
  readonly evidence: Readonly<Record<string, string>>;
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
