import type { Declaration } from '../../customers/index.js';
import type { EvidenceComponent } from './checks/evidence.js';
import type { Answers, FlowDefinition } from './flow/flow.js';
import { declaredSubject } from './flow/roles.js';
import type { SessionOutcome } from './session.js';

const TEXTS = { OCCUPATION: 'occupation', EMAIL: 'email', PHONE: 'phone' } as const;
const AMOUNTS = { INCOME: 'monthlyIncome', REVENUE: 'monthlyRevenue' } as const;

/** Returns the declaration in a person's answers, from fields with a role and from the usual questions about PEPs. */
export function declarationFrom(flow: FlowDefinition, answers: Answers): Declaration {
  const { texts, pepSelf, pepRelated } = declaredSubject(flow, answers);
  const declared: Record<string, string | number> = {};
  for (const [role, member] of Object.entries(TEXTS)) {
    const text = texts[role as keyof typeof TEXTS];
    if (text !== undefined) declared[member] = text;
  }
  for (const [role, member] of Object.entries(AMOUNTS)) {
    const amountText = texts[role as keyof typeof AMOUNTS];
    if (amountText !== undefined && /^\d{1,12}([.,]\d{1,2})?$/.test(amountText)) {
      declared[member] = Number(amountText.replace(',', '.'));
    }
  }
  for (const member of ['pepOffice', 'pepRelation'] as const) {
    const answer = answers[member];
    if (typeof answer === 'string' && answer.trim() !== '') declared[member] = answer.trim();
  }
  const pep = [pepSelf, pepRelated].filter((said) => said !== null);
  const declaredMembers: Declaration = declared;
  return { ...declaredMembers, ...(pep.length > 0 && { pep: pep.includes(true) }) };
}

/**
 * True if the answers update the profile after the checks: rejected answers, and answers that contradict the profile,
 * do not. If the document is not the one of the link's customer, an approval is required: typing somebody's document
 * must not change the profile of that person.
 */
export function updatesProfile(ended: {
  readonly asked: string;
  readonly customerId: string;
  readonly evidence: readonly Pick<EvidenceComponent, 'name' | 'state'>[];
  readonly outcome: SessionOutcome;
}): boolean {
  if (ended.outcome === 'APPROVED') return true;
  const contradicts = ended.evidence.some(({ name, state }) => name === 'PROFILE' && state === 'HIT');
  return ended.outcome === 'REVIEW' && !contradicts && ended.asked === ended.customerId;
}
