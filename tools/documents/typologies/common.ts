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

/** The members in which the examples differ. */
interface Example extends Pick<RuleDefinition, 'aggregates' | 'customFields'> {
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
  /** Features that a transaction may rightly lack: an undecided rule is then only recorded. */
  readonly optional?: readonly string[];
  readonly required: readonly string[];
  readonly lists?: readonly string[];
  readonly message: Localised;
  readonly legalBasis: readonly LegalBasis[];
}

export const localised = (pt: string, en: string): Localised => ({ 'pt-BR': pt, en });

/** Completes an example to a rule, with the other members as in br-starter. */
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
