import { requestsRole } from '../flow/roles.js';
import type { CheckName, FlowDefinition, FlowStep } from '../flow/flow.js';

interface Obstacle {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const hasStep = (flow: FlowDefinition, type: FlowStep['type']): boolean =>
  flow.steps.some((step) => step.type === type);

const asksQuestion = (flow: FlowDefinition, id: string): boolean =>
  flow.steps.some((step) => step.type === 'QUESTIONNAIRE' && step.questions.some((one) => one.id === id));

const namesPeople = (flow: FlowDefinition): boolean =>
  flow.steps.some((step) => step.type === 'REPEATED_GROUP' && step.people !== undefined);

/** The input that a flow must ask for, because the check has no result without it. */
const NEEDS: Readonly<
  Partial<Record<CheckName, readonly [holds: (flow: FlowDefinition) => boolean, what: string]>>
> = {
  TAX_ID: [(flow) => requestsRole(flow, 'DOCUMENT'), 'a field with the role DOCUMENT'],
  AGE: [(flow) => requestsRole(flow, 'BIRTH_DATE'), 'a field with the role BIRTH_DATE'],
  PEP_DECLARATION: [
    (flow) => asksQuestion(flow, 'pepSelf') && asksQuestion(flow, 'pepRelated'),
    'the questions pepSelf and pepRelated',
  ],
  DOCUMENT_QUALITY: [(flow) => hasStep(flow, 'DOCUMENT_CAPTURE'), 'a step DOCUMENT_CAPTURE'],
  DOCUMENT_CODE: [(flow) => hasStep(flow, 'DOCUMENT_CAPTURE'), 'a step DOCUMENT_CAPTURE'],
  DOCUMENT_DATA: [(flow) => hasStep(flow, 'DOCUMENT_CAPTURE'), 'a step DOCUMENT_CAPTURE'],
  DOCUMENT: [(flow) => hasStep(flow, 'DOCUMENT_CAPTURE'), 'a step DOCUMENT_CAPTURE'],
  DUPLICATE_ARTIFACT: [
    (flow) =>
      hasStep(flow, 'DOCUMENT_CAPTURE') || hasStep(flow, 'SELFIE') || hasStep(flow, 'PROOF_OF_ADDRESS'),
    'a step that takes files',
  ],
  FACE_MATCH: [(flow) => hasStep(flow, 'SELFIE'), 'a step SELFIE'],
  LIVENESS: [(flow) => hasStep(flow, 'SELFIE'), 'a step SELFIE'],
  RECEITA: [(flow) => requestsRole(flow, 'DOCUMENT'), 'a field with the role DOCUMENT'],
  ADDRESS: [
    (flow) => hasStep(flow, 'PROOF_OF_ADDRESS') || requestsRole(flow, 'POSTAL_CODE'),
    'a step PROOF_OF_ADDRESS or a field with the role POSTAL_CODE',
  ],
  CONTACT: [(flow) => hasStep(flow, 'ONE_TIME_CODE'), 'a step ONE_TIME_CODE'],
  OWNERS: [namesPeople, 'a step REPEATED_GROUP with people'],
};

/**
 * Returns why no result of a flow can ever be defensible: the flow requires a check without asking for its input, or it
 * asks for no name to screen. Optional steps count, because a person may do them.
 */
export function findDefensibilityObstacles(flow: FlowDefinition): readonly Obstacle[] {
  const name = flow.subject === 'COMPANY' ? 'COMPANY_NAME' : 'PERSON_NAME';
  const nobody = requestsRole(flow, name)
    ? []
    : [
        {
          path: 'steps',
          code: 'NEVER_DEFENSIBLE',
          message: `LISTS needs a field with the role ${name}: nobody could be looked for on the lists.`,
        },
      ];
  const without = flow.requiredChecks.flatMap((check, i) => {
    const need = NEEDS[check];
    return !need || need[0](flow)
      ? []
      : [
          {
            path: `requiredChecks[${i}]`,
            code: 'NEVER_DEFENSIBLE',
            message: `${check} needs ${need[1]}, which the flow does not have.`,
          },
        ];
  });
  return [...nobody, ...without];
}
