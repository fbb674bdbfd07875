import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AcceptedDocument, Step, Upload, UploadLimits } from '../api.js';
import { useTexts } from '../texts/language.js';
import { Capture, type CaptureState } from '../capture/capture.js';
import type { Frame } from '../capture/live-looks.js';
import type { Fault } from '../parts/error-summary.js';
import { Choice, Group } from '../parts/field.js';
import { Icon } from '../parts/icons.js';
import type { Texts } from '../texts/pt.js';
import { documentInUse, isReceived, uploadKey, uploadsOf } from '../uploads/uploads.js';
import { StepForm } from './step-form.js';
import type { StepProps } from './step-props.js';

const LIMITS: UploadLimits = {
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  maxBytes: 10 * 1_048_576,
  maxSidePx: 8_000,
};
/** A face is photographed; a document may be a file. */
const picturesOnly = ({ mimeTypes, maxBytes, maxSidePx }: UploadLimits): UploadLimits => ({
  mimeTypes: mimeTypes.filter((type) => type.startsWith('image/')),
  maxBytes,
  maxSidePx,
});

/** DOCUMENT_CAPTURE, SELFIE and PROOF_OF_ADDRESS: which document, and a photo or file of each of its sides. */
export function UploadStep(props: StepProps): VNode {
  const texts = useTexts();
  const { step, received } = props;
  const documents = step.acceptedDocuments ?? [];
  const [document, setDocument] = useState<AcceptedDocument | null>(() => documentInUse(step, received));
  const [states, setStates] = useState<Readonly<Record<string, CaptureState>>>({});
  const words = wordsOf(step, texts);

  // Sent in an earlier visit: the service tells that the step is done, not with which document.
  const [finished, setFinished] = useState(
    step.status === 'DONE' && document === null && documents.length > 1,
  );
  const needsChoice = documents.length > 1 && document === null;
  const uploads = needsChoice
    ? []
    : uploadsOf(step, documents.find(({ type }) => type === document?.type) ?? document);
  const sentBefore = (one: Upload): boolean =>
    received.includes(uploadKey(one)) ||
    (step.status === 'DONE' && (documents.length <= 1 || isWhole(uploads, received)));

  const faults: Fault[] = [];
  if (!finished && needsChoice) {
    const [first] = documents;
    faults.push({ at: `document-${first?.type ?? ''}`, text: texts.errors.DOCUMENT_MISSING });
  }
  const faultOf = (one: Upload): string | null => {
    const state = states[uploadKey(one)] ?? (sentBefore(one) ? 'SENT' : 'EMPTY');
    if (state === 'SENDING') return texts.errors.UPLOAD_RUNNING;
    if (state === 'OPEN') return texts.errors.UPLOAD_OPEN;
    return state === 'SENT' ? null : texts.errors.FILE_MISSING(whatOf(one, uploads, words, texts));
  };
  if (!finished) {
    for (const one of uploads) {
      const text = faultOf(one);
      if (text !== null) faults.push({ at: captureId(one), text });
    }
  }
  const limits = step.constraints ?? LIMITS;
  const untouched = Object.values(states).every((state) => state === 'EMPTY') && !isReceived(step, received);

  return (
    <StepForm
      props={props}
      faults={faults}
      skippable={!step.required && untouched}
      initialAttempt={props.refused[step.id] === undefined ? 0 : 1}
    >
      {(attempted, settle) => (
        <>
          {step.lastRejection && !isReceived(step, received) && (
            <p class="warning">
              <Icon name="alert" />
              {step.lastRejection.message}
            </p>
          )}
          <p class="text">{words.intro}</p>
          {finished ? (
            <div class="capture">
              <p class="received">
                <Icon name="check" />
                {texts.capture.sent}
              </p>
              <button
                type="button"
                class="link"
                onClick={() => {
                  setFinished(false);
                }}
              >
                {texts.capture.replace}
              </button>
            </div>
          ) : (
            documents.length > 1 && (
              <Group
                id="document"
                legend={words.which}
                fault={attempted && needsChoice ? texts.errors.DOCUMENT_MISSING : null}
                optional={false}
              >
                {documents.map((one) => (
                  <Choice
                    key={one.type}
                    id={`document-${one.type}`}
                    type="radio"
                    name="document"
                    label={one.label}
                    checked={document?.type === one.type}
                    faultId={attempted && needsChoice ? 'document-fault' : undefined}
                    onChange={() => {
                      setStates({});
                      setDocument(one);
                    }}
                  />
                ))}
              </Group>
            )
          )}
          {!finished &&
            uploads.map((one) => (
              <Capture
                key={uploadKey(one)}
                id={captureId(one)}
                sessionId={props.sessionId}
                upload={one}
                what={whatOf(one, uploads, words, texts)}
                frame={words.frame}
                wantsCode={hasCode(one)}
                judgedAs={step.type === 'SELFIE' ? 'face' : 'document'}
                facing={step.capture?.camera ?? (step.type === 'SELFIE' ? 'user' : 'environment')}
                modes={step.capture?.modes ?? ['CAMERA', 'FILE']}
                limits={step.type === 'SELFIE' ? picturesOnly(limits) : limits}
                sent={sentBefore(one)}
                fault={attempted ? faultOf(one) : null}
                onState={(state) => {
                  if (state === 'OPEN') settle();
                  setStates((before) => ({ ...before, [uploadKey(one)]: state }));
                }}
                onSent={() => {
                  props.onReceived(uploadKey(one));
                }}
                onOver={props.onOver}
              />
            ))}
        </>
      )}
    </StepForm>
  );
}

const isWhole = (uploads: readonly Upload[], received: readonly string[]): boolean =>
  uploads.every((one) => received.includes(uploadKey(one)));

// A driving licence and the identity cards since 2022 have a code, on the back or where both sides are one picture.
const hasCode = ({ documentType, side }: Upload): boolean =>
  side !== 'FRONT' && ['CNH', 'CIN', 'RG'].includes(documentType ?? '');

const captureId = (one: Upload): string => `capture-${one.stepId}-${one.side ?? 'whole'}`;

interface Words {
  readonly which: string;
  readonly only: string;
  readonly intro: string;
  readonly frame: Frame;
}

function wordsOf(step: Step, texts: Texts): Words {
  if (step.type === 'SELFIE') return { which: '', ...texts.selfie, frame: 'selfie' };
  return step.type === 'PROOF_OF_ADDRESS'
    ? { ...texts.address, frame: 'page' }
    : {
        which: texts.document.which,
        only: texts.document.only,
        intro: texts.document.intro,
        frame: 'document',
      };
}

/** Names the picture of one file; sides have names only where there is more than one. */
function whatOf(one: Upload, all: readonly Upload[], words: Words, texts: Texts): string {
  return all.length > 1 && one.side !== null ? texts.document[one.side] : words.only;
}
