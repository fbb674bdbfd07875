import { Injectable } from '@nestjs/common';
import type { AuditSubject, SubjectType } from './domain/entry.js';
import type { TrailGap } from './domain/trail.js';

/** What other durable rows say about gaps of a trail. */
export interface RepairEvidence {
  /** The gaps that it answers. */
  readonly answers: readonly TrailGap[];
  /** Names and digests of what it rests on; nothing of a person. */
  readonly evidence: Readonly<Record<string, string>>;
}

/** How a feature proves what a trail of its subjects lacks; null when it cannot. */
export interface RepairSource {
  /** From rows that say the same as the missing entries did. */
  reconstruct(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null>;
  /** By deciding again from what is stored. */
  rederive(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null>;
}

/** Where features above Audit say how trails of their subjects are repaired. */
@Injectable()
export class RepairSources {
  private readonly sources = new Map<SubjectType, RepairSource>();

  register(type: SubjectType, source: RepairSource): void {
    if (this.sources.has(type)) throw new Error(`two repair sources for ${type}`);
    this.sources.set(type, source);
  }

  async ask(
    subject: AuditSubject,
    kind: 'RECONSTRUCT' | 'RE_DERIVE',
    gaps: readonly TrailGap[],
  ): Promise<RepairEvidence | null> {
    const source = this.sources.get(subject.type);
    if (!source) return null;
    return kind === 'RECONSTRUCT' ? source.reconstruct(subject, gaps) : source.rederive(subject, gaps);
  }
}
