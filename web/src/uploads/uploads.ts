/** The files that a step still wants to have sent. */
import type { AcceptedDocument, Side, Step, Upload } from '../api.js';

export const isUploadStep = ({ type }: Step): boolean =>
  type === 'DOCUMENT_CAPTURE' || type === 'SELFIE' || type === 'PROOF_OF_ADDRESS';

export const uploadKey = ({ stepId, documentType, side }: Upload): string =>
  `${stepId}/${documentType ?? ''}/${side ?? ''}`;

/** The files of one document; one file for the whole of it where no sides are named. */
export function uploadsOf(step: Step, document: AcceptedDocument | null): readonly Upload[] {
  const sides: readonly (Side | null)[] = document && document.sides.length > 0 ? document.sides : [null];
  return sides.map((side) => ({ stepId: step.id, documentType: document?.type ?? null, side }));
}

/** Whether everything of some document has arrived. */
export function isReceived(step: Step, received: readonly string[]): boolean {
  const documents = step.acceptedDocuments?.length ? step.acceptedDocuments : [null];
  return (
    step.status === 'DONE' ||
    documents.some((document) => uploadsOf(step, document).every((one) => received.includes(uploadKey(one))))
  );
}

/** The document that files have been sent of. */
export function documentInUse(step: Step, received: readonly string[]): AcceptedDocument | null {
  const documents = step.acceptedDocuments ?? [];
  if (documents.length === 1) return documents[0] ?? null;
  return (
    documents.find((document) =>
      uploadsOf(step, document).some((one) => received.includes(uploadKey(one))),
    ) ?? null
  );
}
