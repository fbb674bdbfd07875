import type { Declaration } from '../../customers/index.js';
import type { EvidenceComponent } from './checks/evidence.js';
import type { Answers } from './flow/flow.js';
import type { SessionOutcome } from './session.js';

/** The fields of a flow that are taken over into the profile, by their ids; each is a text. */
const TEXTS = ['occupation', 'pepOffice', 'pepRelation', 'email', 'phone'] as const;
const AMOUNTS = ['monthlyIncome', 'monthlyRevenue'] as const;

/** Returns what a person declared of themselves in their answers. */
export function declaredIn(answers: Answers): Declaration {
  const texts = TEXTS.flatMap((key) => {
    const said = answers[key];
    return typeof said === 'string' && said.trim() !== '' ? [[key, said.trim()] as const] : [];
  });
  const amounts = AMOUNTS.flatMap((key) => {
    const said = answers[key];
    return typeof said === 'string' && /^\d{1,12}([.,]\d{1,2})?$/.test(said)
      ? [[key, Number(said.replace(',', '.'))] as const]
      : [];
  });
  const pep = [answers['pepSelf'], answers['pepRelated']].filter((said) => typeof said === 'boolean');
  const said: Declaration = Object.fromEntries<string | number>([...texts, ...amounts]);
  return {
    ...said,
    ...(pep.length > 0 && { pep: pep.includes(true) }),
  };
}

/**
 * Whether the answers are taken over when the checks are done. Not when they contradict what is known or were rejected;
 * and when the link was made for somebody else than the holder of the document, only after an approval: a document that
 * somebody typed in does not write into the profile of the person it belongs to.
 */
export function feedsProfile(ended: {
  readonly asked: string;
  readonly customerId: string;
  readonly evidence: readonly Pick<EvidenceComponent, 'name' | 'state'>[];
  readonly outcome: SessionOutcome;
}): boolean {
  if (ended.outcome === 'APPROVED') return true;
  const contradicts = ended.evidence.some(({ name, state }) => name === 'PROFILE' && state === 'HIT');
  return ended.outcome === 'REVIEW' && !contradicts && ended.asked === ended.customerId;
}
