import type { KnownArtifact } from '../../../uploads/index.js';
import { requestedAnswers, type Answers, type FlowDefinition, type FlowStep } from '../flow/flow.js';

type DocumentStep = Extract<FlowStep, { type: 'DOCUMENT_CAPTURE' | 'PROOF_OF_ADDRESS' }>;

const isDocument = (step: FlowStep): step is DocumentStep =>
  step.type === 'DOCUMENT_CAPTURE' || step.type === 'PROOF_OF_ADDRESS';

/** True if both steps accept a common document type, and `other` requires all sides that `step` requires. */
const takesTheSame = (step: DocumentStep, other: DocumentStep): boolean =>
  step.type === other.type &&
  step.acceptedDocuments.some(({ type, sides }) =>
    other.acceptedDocuments.some(
      (one) => one.type === type && sides.every((side) => one.sides.includes(side)),
    ),
  );

/** Returns the steps that files of an earlier session complete. Answers are reused only with such files. */
export const reusableSteps = (flow: FlowDefinition, source: FlowDefinition): readonly string[] =>
  flow.steps
    .filter(
      (step) => isDocument(step) && source.steps.some((one) => isDocument(one) && takesTheSame(step, one)),
    )
    .map(({ id }) => id);

/** Assigns files of an earlier session to this session's steps; never a selfie. */
export function reusedFiles(
  flow: FlowDefinition,
  source: FlowDefinition,
  files: readonly KnownArtifact[],
): readonly KnownArtifact[] {
  return flow.steps.filter(isDocument).flatMap((step) => {
    const from = source.steps.find((one) => isDocument(one) && takesTheSame(step, one));
    return files
      .filter(
        ({ stepId, documentType }) =>
          stepId === from?.id &&
          (documentType === null || step.acceptedDocuments.some(({ type }) => type === documentType)),
      )
      .map((file) => ({ ...file, stepId: step.id }));
  });
}

/** Returns the earlier session's answers to inputs of both flows. Consents, codes and groups are asked every time. */
export function reusedAnswers(flow: FlowDefinition, source: FlowDefinition, answers: Answers): Answers {
  const requestedNames = (of: FlowDefinition): Set<string> =>
    new Set(
      of.steps
        .flatMap(requestedAnswers)
        .filter(({ type }) => type !== 'AGREEMENT' && type !== 'CODE' && type !== 'ITEMS')
        .map(({ id }) => id),
    );
  const [here, there] = [requestedNames(flow), requestedNames(source)];
  return Object.fromEntries(Object.entries(answers).filter(([key]) => here.has(key) && there.has(key)));
}
