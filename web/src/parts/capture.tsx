import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem, uploadFile, type Upload, type UploadLimits } from '../api.js';
import { useTexts } from '../texts/language.js';
import { prepare, type FileFault } from '../uploads/image.js';
import { Camera, type Frame, hasCamera } from './camera.js';
import { FileButton, isPicture, Preview, typeNames } from './captured-file.js';
import { FaultText } from './field.js';
import { Icon } from './icons.js';

/** Where one file stands, for the step that it belongs to. */
export type CaptureState = 'EMPTY' | 'OPEN' | 'SENDING' | 'SENT';

type Failure = FileFault | 'OFFLINE' | 'UNAVAILABLE' | 'LIMITED' | 'TOO_MANY' | 'REFUSED' | 'stopped';

type State =
  | { readonly kind: 'IDLE'; readonly failure: FileFault | 'DENIED' | null }
  | { readonly kind: 'CAMERA' }
  | { readonly kind: 'PREPARING' }
  | { readonly kind: 'CHECK'; readonly file: Blob; readonly shot: boolean }
  | { readonly kind: 'SENDING'; readonly file: Blob; readonly share: number }
  | { readonly kind: 'FAILED'; readonly file: Blob; readonly failure: Failure }
  | { readonly kind: 'SENT'; readonly file: Blob | null };

// Keeps an upload when somebody goes to another step: it is still there when they come back.
const unsent = new Map<string, Blob>();

export interface CaptureProps {
  readonly id: string;
  readonly sessionId: string;
  readonly upload: Upload;
  readonly what: string;
  readonly frame: Frame;
  readonly facing: 'user' | 'environment';
  readonly modes: readonly ('CAMERA' | 'FILE')[];
  readonly limits: UploadLimits;
  readonly sent: boolean;
  readonly fault: string | null;
  readonly onState: (state: CaptureState) => void;
  readonly onSent: () => void;
  /** The session is over, or is no more: nothing can be sent any more. */
  readonly onOver: (problem: Problem) => void;
}

/** One file of a step: taken or chosen, looked at, sent; kept here until the service has confirmed it. */
export function Capture(props: CaptureProps): VNode {
  const { id, what, limits, frame, facing, modes, fault, upload } = props;
  const texts = useTexts();
  const key = `${upload.stepId}/${upload.documentType ?? ''}/${upload.side ?? ''}`;
  const [state, setState] = useState<State>(() => firstState(key, props.sent));
  const [camera, setCamera] = useState<boolean | null>(null);
  const primary = useRef<HTMLElement | null>(null);
  const sending = useRef<AbortController | null>(null);
  const moved = useRef(false);

  const to = (next: State): void => {
    moved.current = true;
    setState(next);
  };

  useEffect(() => {
    let gone = false;
    void hasCamera().then((found) => {
      if (!gone) setCamera(found);
    });
    return () => {
      gone = true;
      sending.current?.abort();
    };
  }, []);

  // The control that was pressed is gone: the next one takes its place.
  useEffect(() => {
    if (moved.current) primary.current?.focus();
  }, [state.kind]);

  useEffect(() => {
    props.onState(stateFor(state));
  }, [state.kind]);

  const send = async (file: Blob): Promise<void> => {
    const controller = new AbortController();
    sending.current = controller;
    unsent.set(key, file);
    to({ kind: 'SENDING', file, share: 0 });
    const progress = (share: number): void => {
      if (!controller.signal.aborted) setState({ kind: 'SENDING', file, share });
    };
    try {
      await uploadFile(props.sessionId, file, upload, progress, controller.signal);
      unsent.delete(key);
      to({ kind: 'SENT', file });
      props.onSent();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (
        error.kind === 'EXPIRED' ||
        error.kind === 'NOT_FOUND' ||
        error.code === 'SESSION_ALREADY_SUBMITTED'
      ) {
        props.onOver(error);
      } else {
        to({ kind: 'FAILED', file, failure: failureOf(error) });
      }
    }
  };

  // Nobody has to press anything when the connection is back.
  useEffect(() => {
    if (state.kind !== 'FAILED' || state.failure !== 'OFFLINE') return;
    const again = (): void => {
      void send(state.file);
    };
    window.addEventListener('online', again);
    return () => {
      window.removeEventListener('online', again);
    };
  }, [state]);

  const take = async (file: Blob, shot: boolean): Promise<void> => {
    to({ kind: 'PREPARING' });
    const prepared = await prepare(file, limits);
    to(
      prepared.ok ? { kind: 'CHECK', file: prepared.file, shot } : { kind: 'IDLE', failure: prepared.fault },
    );
  };

  const start = (): void => {
    unsent.delete(key);
    to({ kind: 'IDLE', failure: null });
  };

  const focusHere = (element: HTMLElement | null): void => {
    primary.current = element;
  };

  const offersCamera = camera === true && modes.includes('CAMERA');
  return (
    <section
      class={fault ? 'capture faulty' : 'capture'}
      aria-labelledby={`${id}-title`}
      id={id}
      tabIndex={-1}
    >
      <h2 id={`${id}-title`}>{what}</h2>
      {fault && <FaultText id={`${id}-fault`} text={fault} />}
      {state.kind === 'IDLE' && (
        <>
          {state.failure !== null && (
            <Notice text={texts.capture[state.failure === 'DENIED' ? 'denied' : state.failure]} />
          )}
          {camera === false && modes.includes('CAMERA') && <p class="hint">{texts.capture.none}</p>}
          <div class="buttons">
            {offersCamera && (
              <button
                type="button"
                class="primary"
                ref={focusHere}
                onClick={() => {
                  to({ kind: 'CAMERA' });
                }}
              >
                <Icon name="camera" />
                {texts.capture.take}
                <span class="unseen">: {what}</span>
              </button>
            )}
            <FileButton
              id={`${id}-file`}
              what={what}
              primary={!offersCamera}
              limits={limits}
              focusHere={offersCamera ? null : focusHere}
              onFile={(file) => {
                void take(file, false);
              }}
            />
          </div>
          <p class="hint">{texts.capture.accepts(typeNames(limits), limits.maxBytes)}</p>
        </>
      )}
      {state.kind === 'CAMERA' && (
        <Camera
          facing={facing}
          frame={frame}
          onPhoto={(photo) => {
            void take(photo, true);
          }}
          onCancel={start}
          onDenied={() => {
            setCamera(false);
            to({ kind: 'IDLE', failure: 'DENIED' });
          }}
        />
      )}
      {state.kind === 'PREPARING' && <p role="status">{texts.capture.preparing}</p>}
      {state.kind === 'CHECK' && (
        <>
          <Preview file={state.file} />
          <p>{isPicture(state.file) ? texts.capture.check : texts.capture.checkFile}</p>
          <div class="buttons">
            <button
              type="button"
              class="primary"
              ref={focusHere}
              onClick={() => {
                void send(state.file);
              }}
            >
              {isPicture(state.file) ? texts.capture.use : texts.capture.useFile}
            </button>
            <button
              type="button"
              onClick={() => {
                if (state.shot) to({ kind: 'CAMERA' });
                else start();
              }}
            >
              {state.shot ? texts.capture.again : texts.capture.otherFile}
            </button>
          </div>
        </>
      )}
      {state.kind === 'SENDING' && (
        <>
          <Preview file={state.file} />
          <p class="sending" role="status">
            {texts.capture.sending}
          </p>
          <progress
            aria-label={`${texts.capture.sending}: ${what}`}
            max={100}
            value={Math.round(state.share * 100)}
          />
          <div class="buttons">
            <button
              type="button"
              ref={focusHere}
              onClick={() => {
                sending.current?.abort();
              }}
            >
              {texts.capture.cancel}
            </button>
          </div>
        </>
      )}
      {state.kind === 'FAILED' && (
        <>
          <Preview file={state.file} />
          <Notice text={texts.capture[state.failure]} />
          <div class="buttons">
            <button
              type="button"
              class="primary"
              ref={focusHere}
              onClick={() => {
                void send(state.file);
              }}
            >
              {texts.tryAgain}
            </button>
            <button type="button" onClick={start}>
              {texts.capture.otherFile}
            </button>
          </div>
        </>
      )}
      {state.kind === 'SENT' && (
        <>
          {state.file && <Preview file={state.file} />}
          <p class="received" role="status" tabIndex={-1} ref={focusHere}>
            <Icon name="check" />
            {texts.capture.sent}
          </p>
          <button type="button" class="link" onClick={start}>
            {texts.capture.replace}
            <span class="unseen">: {what}</span>
          </button>
        </>
      )}
    </section>
  );
}

function firstState(key: string, sent: boolean): State {
  const file = unsent.get(key);
  if (file) return { kind: 'FAILED', file, failure: 'stopped' };
  return sent ? { kind: 'SENT', file: null } : { kind: 'IDLE', failure: null };
}

function stateFor({ kind }: State): CaptureState {
  if (kind === 'SENT') return 'SENT';
  if (kind === 'SENDING') return 'SENDING';
  return kind === 'IDLE' ? 'EMPTY' : 'OPEN';
}

/** Returns the failure to show for a file that was not taken. */
function failureOf(problem: Problem): Failure {
  switch (problem.kind) {
    case 'OFFLINE':
      return problem.code === 'STOPPED' ? 'stopped' : 'OFFLINE';
    case 'UNAVAILABLE':
    case 'LIMITED':
      return problem.kind;
    case 'EXPIRED':
    case 'NOT_FOUND':
    case 'CONFLICT':
    case 'REFUSED':
      return refusalOf(problem.code);
    default:
      return problem.kind satisfies never;
  }
}

function refusalOf(code: string): Failure {
  if (/TOO_MANY|LIMIT|COUNT|QUOTA/.test(code)) return 'TOO_MANY';
  if (/TOO_LARGE|SIZE/.test(code)) return 'TOO_LARGE';
  if (/TYPE|MEDIA/.test(code)) return 'TYPE';
  if (/FILE|IMAGE|CORRUPT|UNREADABLE|INVALID/.test(code)) return 'UNREADABLE';
  return 'REFUSED';
}

function Notice({ text }: { readonly text: string }): VNode {
  return (
    <p class="warning" role="alert">
      <Icon name="alert" />
      {text}
    </p>
  );
}
