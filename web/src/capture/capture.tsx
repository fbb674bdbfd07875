import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  Problem,
  uploadFile,
  type PictureFlaw,
  type Upload,
  type UploadLimits,
  type Wanted,
} from '../api.js';
import { useTexts } from '../texts/language.js';
import { prepare, type FileFault } from '../uploads/image.js';
import type { Texts } from '../texts/pt.js';
import type { Subject } from '../uploads/measure.js';
import { bestOf, loadMeasures, measureOf, TRIES, type Try } from '../uploads/tries.js';
import { FaultText } from '../parts/field.js';
import { Icon } from '../parts/icons.js';
import { Camera, type CameraFault, hasCamera } from './camera.js';
import { FileButton, isPicture, Preview, typeNames } from './captured-file.js';
import type { Frame } from './live-looks.js';

/** Where one file stands, for the step that it belongs to. */
export type CaptureState = 'EMPTY' | 'OPEN' | 'SENDING' | 'SENT';

type Failure = FileFault | 'OFFLINE' | 'UNAVAILABLE' | 'LIMITED' | 'TOO_MANY' | 'REFUSED' | 'stopped';

/** A picture or file to send: with it, before it, go those that were no better, so that the service counts them too. */
interface Picked {
  readonly file: Blob;
  readonly before: readonly Blob[];
}

type State =
  | { readonly kind: 'IDLE'; readonly failure: FileFault | PictureFlaw | CameraFault | null }
  | { readonly kind: 'CAMERA' }
  | { readonly kind: 'PREPARING' }
  | { readonly kind: 'CHECK'; readonly picked: Picked; readonly shot: boolean }
  | { readonly kind: 'SENDING'; readonly picked: Picked; readonly share: number }
  | { readonly kind: 'FAILED'; readonly picked: Picked; readonly failure: Failure }
  | { readonly kind: 'SENT'; readonly file: Blob | null };

// Keeps an upload when somebody goes to another step: it is still there when they come back.
const unsent = new Map<string, Picked>();

export interface CaptureProps {
  readonly id: string;
  readonly sessionId: string;
  readonly upload: Upload;
  readonly what: string;
  readonly frame: Frame;
  /** Whether there is a machine-readable code on what is photographed. */
  readonly wantsCode: boolean;
  /** The subject that the device looks for before it sends a picture. */
  readonly judgedAs: Subject;
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
  // Pictures with flaws that were not sent, and how many more are asked for before the best of them is taken.
  const held = useRef<Try[]>([]);
  const triesLeft = useRef(TRIES);

  const to = (next: State): void => {
    moved.current = true;
    setState(next);
  };

  useEffect(() => {
    let gone = false;
    // The connection may be gone when the picture is there.
    void loadMeasures();
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

  const send = async (picked: Picked): Promise<void> => {
    const controller = new AbortController();
    sending.current = controller;
    unsent.set(key, picked);
    to({ kind: 'SENDING', picked, share: 0 });
    const files = [...picked.before, picked.file];
    try {
      let wanted: Wanted | null = null;
      for (const [i, file] of files.entries()) {
        const progress = (share: number): void => {
          if (controller.signal.aborted) return;
          setState({ kind: 'SENDING', picked, share: (i + share) / files.length });
        };
        wanted = await uploadFile(props.sessionId, file, upload, progress, controller.signal);
      }
      unsent.delete(key);
      held.current = [];
      triesLeft.current = wanted?.triesLeft ?? TRIES;
      if (wanted) to({ kind: 'IDLE', failure: wanted.flaw });
      else {
        to({ kind: 'SENT', file: picked.file });
        props.onSent();
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (
        error.kind === 'EXPIRED' ||
        error.kind === 'NOT_FOUND' ||
        error.code === 'SESSION_ALREADY_SUBMITTED'
      ) {
        props.onOver(error);
      } else {
        to({ kind: 'FAILED', picked, failure: failureOf(error) });
      }
    }
  };

  // Nobody has to press anything when the connection is back.
  useEffect(() => {
    if (state.kind !== 'FAILED' || state.failure !== 'OFFLINE') return;
    const again = (): void => {
      void send(state.picked);
    };
    window.addEventListener('online', again);
    return () => {
      window.removeEventListener('online', again);
    };
  }, [state]);

  const take = async (given: Blob, shot: boolean): Promise<void> => {
    to({ kind: 'PREPARING' });
    const prepared = await prepare(given, limits);
    if (!prepared.ok) {
      to({ kind: 'IDLE', failure: prepared.fault });
      return;
    }
    const { file } = prepared;
    const measured = await measureOf(file, props.judgedAs);
    const [flaw] = measured?.flaws ?? [];
    if (!measured || !flaw) {
      to({ kind: 'CHECK', picked: { file, before: [] }, shot });
      return;
    }
    const tries = [...held.current, { file, measured }] as const;
    held.current = [...tries];
    if (tries.length < triesLeft.current) {
      to({ kind: 'IDLE', failure: flaw });
      return;
    }
    const best = bestOf(tries as unknown as readonly [Try, ...Try[]]).file;
    const others = tries.map((one) => one.file).filter((one) => one !== best);
    const before = others.slice(Math.max(0, others.length + 1 - triesLeft.current));
    to({ kind: 'CHECK', picked: { file: best, before }, shot });
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
          {state.failure !== null && <Notice text={texts.capture[state.failure]} />}
          {camera === false && state.failure !== 'NONE' && modes.includes('CAMERA') && (
            <p class="hint">{texts.capture.NONE}</p>
          )}
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
                {isCameraFault(state.failure) ? texts.tryAgain : texts.capture.take}
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
          what={what}
          wantsCode={props.wantsCode}
          onPhoto={(photo) => {
            void take(photo, true);
          }}
          onCancel={start}
          onFault={(failure) => {
            if (failure === 'NONE') setCamera(false);
            to({ kind: 'IDLE', failure });
          }}
        />
      )}
      {state.kind === 'PREPARING' && <p role="status">{texts.capture.preparing}</p>}
      {state.kind === 'CHECK' && (
        <>
          <Preview file={state.picked.file} />
          <p>{checkText(state.picked, texts)}</p>
          <div class="buttons">
            <button
              type="button"
              class="primary"
              ref={focusHere}
              onClick={() => {
                void send(state.picked);
              }}
            >
              {isPicture(state.picked.file) ? texts.capture.use : texts.capture.useFile}
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
          <Preview file={state.picked.file} />
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
          <Preview file={state.picked.file} />
          <Notice text={texts.capture[state.failure]} />
          <div class="buttons">
            <button
              type="button"
              class="primary"
              ref={focusHere}
              onClick={() => {
                void send(state.picked);
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
  const picked = unsent.get(key);
  if (picked) return { kind: 'FAILED', picked, failure: 'stopped' };
  return sent ? { kind: 'SENT', file: null } : { kind: 'IDLE', failure: null };
}

const isCameraFault = (failure: string | null): boolean =>
  failure === 'DENIED' || failure === 'BUSY' || failure === 'NONE';

function checkText({ file, before }: Picked, { capture }: Texts): string {
  if (!isPicture(file)) return capture.checkFile;
  return before.length > 0 ? capture.checkBest : capture.check;
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
