import type {
  AppliesTo,
  ComponentName,
  LegalBasis,
  Localised,
  RuleAction,
  RuleDefinition,
} from '../../../src/features/rules/language/index.js';
import { applies, USUAL } from '../../../src/features/rules/data/br-starter/common.js';

export {
  circular4001,
  fatf,
  norm,
  parameter,
  stepUp,
  TRANSFERS,
  withoutDevice,
} from '../../../src/features/rules/data/br-starter/common.js';

/** Members of an example; the rest is the same in all of them. */
interface Example extends Pick<RuleDefinition, 'aggregates' | 'house'> {
  readonly key: string;
  readonly name: Localised;
  readonly description: Localised;
  readonly severity: RuleDefinition['severity'];
  readonly component: ComponentName;
  readonly category: string;
  readonly tags: readonly string[];
  readonly to: Partial<AppliesTo>;
  readonly parameters: RuleDefinition['parameters'];
  readonly when: string;
  readonly points: number;
  readonly minOutcome?: 'REVIEW';
  readonly recommend?: RuleDefinition['effect']['recommend'];
  readonly actions?: readonly RuleAction[];
  readonly reasonCode: string;
  /** Fields that a transaction may lack without a fault of its sender: the rule is then only recorded as undecided. */
  readonly optional?: readonly string[];
  readonly required: readonly string[];
  readonly lists?: readonly string[];
  readonly message: Localised;
  readonly legalBasis: readonly LegalBasis[];
}

export const localised = (pt: string, en: string): Localised => ({ 'pt-BR': pt, en });

/** Completes an example to a whole rule of the shape that ships. */
export function typology({
  to,
  points,
  minOutcome,
  recommend,
  reasonCode,
  optional = [],
  required,
  ...own
}: Example): RuleDefinition {
  const figures = Object.keys(own.aggregates ?? {}).map((name) => `aggregate.${name}`);
  const needed = [...required, ...figures].filter((feature) => !optional.includes(feature));
  return {
    ...USUAL,
    ...own,
    appliesTo: applies(to),
    score: { points, group: own.category, groupMax: null },
    effect: { minOutcome: minOutcome ?? null, recommend: recommend ?? 'NONE', reasonCode },
    onIndeterminate: optional.length > 0 ? 'RECORD' : 'PARTIAL',
    evidence: [
      ...needed.map((feature) => ({ feature, required: true })),
      ...optional.map((feature) => ({ feature, required: false })),
    ],
  };
}
