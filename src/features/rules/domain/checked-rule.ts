import type { ErrorDetail } from '../../../platform/kernel/index.js';
import type { BuilderNode, Localised } from '../language/index.js';

export interface CheckedAggregate {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly words: Localised;
  readonly cost: number;
}

export interface CheckedRule {
  readonly ok: boolean;
  readonly details: readonly ErrorDetail[];
  readonly remarks: readonly ErrorDetail[];
  readonly features?: readonly string[];
  readonly cost?: number;
  readonly lists?: readonly string[];
  readonly when?: string;
  readonly condition?: BuilderNode;
  readonly words?: Localised;
  readonly aggregates?: readonly CheckedAggregate[];
}
