import type { DampenerDefinition, RuleDefinition } from '../language/index.js';
import type { RulesetDraft } from '../rulesets/ruleset-drafts.service.js';
import type { RuleDraft } from '../rulesets/rule-library.service.js';
import type { LocalisedBody } from './localised.dto.js';
import type { AppliesToBody, RuleBody } from './rule.dto.js';
import type { DampenerBody, RulesetContentBody } from './ruleset.dto.js';
import { pick } from '../../../platform/kernel/index.js';

/** Copies a submitted rule into plain data, without instances of the request classes. */
export function ruleOf(body: RuleBody): RuleDraft {
  const { score, effect } = body;
  return {
    key: body.key,
    name: localised(body.name),
    description: localised(body.description ?? body.name),
    ...pick(body, 'severity', 'component', 'category'),
    tags: [...body.tags],
    appliesTo: appliesTo(body.appliesTo),
    parameters: body.parameters,
    ...(body.aggregates ? { aggregates: body.aggregates } : {}),
    when: body.when,
    score: {
      ...pick(score, 'points', 'group', 'groupMax'),
      ...(score.tiers ? { tiers: score.tiers.map(({ when, points }) => ({ when, points })) } : {}),
    },
    effect: {
      ...pick(effect, 'minOutcome', 'recommend', 'reasonCode'),
    },
    onIndeterminate: body.onIndeterminate,
    evidence: body.evidence.map(({ feature, required }) => ({ feature, required })),
    actions: body.actions,
    lists: [...body.lists],
    flags: [...body.flags],
    mode: body.mode,
    cooldown: body.cooldown,
    message: localised(body.message),
    legalBasis: body.legalBasis.map(({ norm, item, siscoafCode }) => ({ norm, item, siscoafCode })),
  };
}

/** Copies a submitted ruleset into plain data. */
export function rulesetOf(body: RulesetContentBody): RulesetDraft {
  const { basedOn, name, selector, experiment, rules, putRules, removeRules, dampeners } = body;
  const { scoring, composition } = body;
  return {
    ...(basedOn ? { basedOn: { key: basedOn.key, version: basedOn.version } } : {}),
    ...(name ? { name: localised(name) } : {}),
    ...(selector ? { selector: { types: selector.types, clientApps: selector.clientApps } } : {}),
    ...(experiment === undefined ? {} : { experiment: experiment && plainBody(experiment) }),
    ...(rules ? { rules: rules.map(plainBody) } : {}),
    ...(putRules ? { putRules: putRules.map(plainBody) } : {}),
    ...(removeRules ? { removeRules } : {}),
    ...(dampeners ? { dampeners: dampeners.map(dampenerOf) } : {}),
    ...(scoring
      ? {
          scoring: { reviewAt: scoring.reviewAt, caps: { ...scoring.caps }, bands: plainBody(scoring.bands) },
        }
      : {}),
    ...(composition
      ? {
          composition: {
            requiredComponents: composition.requiredComponents.map(
              ({ types, directions, components, fromAmountBrl, inForeignCurrency, exemptions }) => ({
                types,
                ...(directions ? { directions } : {}),
                components,
                ...(fromAmountBrl ? { fromAmountBrl: plainBody(fromAmountBrl) } : {}),
                ...(inForeignCurrency ? { inForeignCurrency } : {}),
                ...(exemptions ? { exemptions: exemptions.map(plainBody) } : {}),
              }),
            ),
          },
        }
      : {}),
  };
}

/** The properties of a flat object, without its class. */
const plainBody = <T extends object>(body: T): Pick<T, keyof T> => ({ ...(body as Pick<T, keyof T>) });

const dampenerOf = (body: DampenerBody): DampenerDefinition => ({
  key: body.key,
  version: body.version,
  name: localised(body.name),
  description: localised(body.description ?? body.name),
  appliesTo: appliesTo(body.appliesTo),
  parameters: body.parameters,
  ...(body.aggregates ? { aggregates: body.aggregates } : {}),
  when: body.when,
  points: body.points,
  suppresses: [...body.suppresses],
  mode: body.mode,
  message: localised(body.message),
});

const localised = (text: LocalisedBody): RuleDefinition['name'] => ({ 'pt-BR': text['pt-BR'], en: text.en });

const appliesTo = ({
  types,
  channels,
  currencies,
  directions,
}: AppliesToBody): RuleDefinition['appliesTo'] => ({
  types,
  channels,
  currencies,
  directions,
});
