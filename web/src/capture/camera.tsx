import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { jpegOf } from '../uploads/image.js';
import { useTexts } from '../texts/language.js';
import { LiveLooks, movedBetween, partsOf, shapeOf, shownPart, type Frame, type Hint } from './live-looks.js';

/** Why there is no picture of the camera. */
export type CameraFault = 'DENIED' | 'BUSY' | 'NONE';

const LOOK_MS = 200;
// More shows nothing more of a document, and less loses its small print.
const WANTED = { width: { ideal: 2_560 }, height: { ideal: 1_920 } };

/** Whether this browser has a camera to offer, as far as it says so before it is asked to use it. */
export async function hasCamera(): Promise<boolean> {
  // Absent where the page does not come over HTTPS, whatever the type says.
  const media = navigator.mediaDevices as MediaDevices | undefined;
  if (!media) return false;
  try {
    return (await media.enumerateDevices()).some(({ kind }) => kind === 'videoinput');
  } catch {
    return false;
  }
}

/**
 * Fills the screen with the camera's picture and a guide to fit things into. The photo is what the frame shows; it is taken
 * by the person, or of a document by itself once it is sharp and still. Nothing leaves it before.
 */
export function Camera({
  facing,
  frame,
  what,
  wantsCode,
  onPhoto,
  onCancel,
  onFault,
}: {
  readonly facing: 'user' | 'environment';
  readonly frame: Frame;
  readonly what: string;
  /** Whether a document of this kind has a machine-readable code on this side. */
  readonly wantsCode: boolean;
  readonly onPhoto: (photo: Blob) => void;
  readonly onCancel: () => void;
  readonly onFault: (fault: CameraFault) => void;
}): VNode {
  const { capture } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const shoot = useRef<HTMLButtonElement>(null);
  const given = useRef(false);
  const [running, setRunning] = useState(false);
  const [isWide, setIsWide] = useState(false);
  const [hint, setHint] = useState<Hint | null>(null);
  const [hasCode, setHasCode] = useState(false);
  const [automatic, setAutomatic] = useState(frame !== 'selfie');

  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);

  useEffect(() => {
    let stream: MediaStream | null = null;
    let closed = false;
    const stop = (): void => {
      stream?.getTracks().forEach((track) => {
        track.stop();
      });
    };
    const open = async (): Promise<void> => {
      const wanted = { facingMode: { ideal: facing }, ...WANTED };
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
      if (closed || !video.current) {
        stop();
        return;
      }
      video.current.srcObject = stream;
      await video.current.play();
      setIsWide(video.current.videoWidth > video.current.videoHeight);
      setRunning(true);
      shoot.current?.focus();
    };
    open().catch((error: unknown) => {
      if (!closed) onFault(faultOf(error));
    });
    return () => {
      closed = true;
      stop();
    };
  }, []);

  /** Takes what the frame shows at this moment. */
  const shown = async (): Promise<ImageBitmap | null> => {
    const source = video.current;
    if (!source || source.videoWidth === 0) return null;
    const seen = { width: source.videoWidth, height: source.videoHeight };
    const part = shownPart(seen, shapeOf(frame, seen.width > seen.height));
    return createImageBitmap(source, part.x, part.y, part.width, part.height);
  };

  /** Gives one photo, whether the person or the page was first; a camera that shows nothing did not answer. */
  const give = async (picture: ImageBitmap | null): Promise<void> => {
    if (given.current) return;
    given.current = true;
    const photo = picture && (await jpegOf(picture, picture.width, picture.height).catch(() => null));
    if (photo) onPhoto(photo);
    else onFault('BUSY');
  };

  const take = async (): Promise<void> => {
    if (!running) return;
    const picture = await shown().catch(() => null);
    await give(picture);
    picture?.close();
  };

  useEffect(() => {
    if (!running) return;
    let over = false;
    let timer = 0;
    const looks = new LiveLooks(frame, wantsCode);
    let before: Float32Array | null = null;
    let found = false;
    const begin = async (): Promise<void> => {
      const { lumaOf, measure } = await import('../uploads/measure.js');
      // The reader of codes may still be on its way while the rest works.
      let findCode: ((picture: ImageBitmap) => Promise<boolean>) | null = null;
      if (wantsCode) {
        void import('../uploads/codes.js').then(
          (codes) => {
            findCode = codes.findCode;
          },
          () => undefined, // the service reads codes too
        );
      }
      const look = async (): Promise<void> => {
        const picture = over ? null : await shown();
        if (picture) {
          const { width, height } = picture;
          const luma = lumaOf(picture, width, height);
          const measured = measure(luma, { of: frame === 'selfie' ? 'face' : 'document', width, height });
          const parts = partsOf(luma);
          if (!found && findCode && (await findCode(picture))) {
            found = true;
            if (!over) setHasCode(true);
          }
          const moved = movedBetween(before, parts);
          before = parts;
          const next = looks.next({ ...measured, moved, hasCode: found });
          if (!over) setHint(next.hint);
          if (!over && automatic && next.ready) {
            over = true;
            await give(picture);
          }
          picture.close();
        }
        if (over) return;
        timer = window.setTimeout(() => {
          look().catch(blind);
        }, LOOK_MS);
      };
      await look();
    };
    // Without its measures the page still takes pictures: the service judges them.
    const blind = (): void => {
      if (!over) setHint(null);
    };
    begin().catch(blind);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [running, automatic]);

  const says = !running
    ? capture.starting
    : hint === null
      ? capture.frames[frame]
      : hint === 'HOLD' && (frame === 'selfie' || !automatic)
        ? capture.live.GOOD
        : hint === 'SMALL'
          ? capture.LOW_RESOLUTION
          : capture.live[hint];
  return (
    <dialog
      class={`camera ${frame}`}
      style={{ '--shape': shapeOf(frame, isWide) }}
      ref={dialog}
      aria-label={what}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <div class="stage">
        <div class={hint === 'HOLD' ? 'viewfinder good' : 'viewfinder'}>
          <video
            ref={video}
            class={facing === 'user' ? 'mirrored' : ''}
            playsInline
            muted
            aria-label={capture.camera}
          />
          <div class="guide" aria-hidden="true" />
        </div>
      </div>
      <div class="controls">
        <p class="live" role="status">
          {says}
          {hasCode && <span> {capture.live.CODE}</span>}
        </p>
        <div class="shutters">
          <button type="button" onClick={onCancel}>
            {capture.cancel}
          </button>
          <button
            type="button"
            class="shutter"
            ref={shoot}
            aria-disabled={!running}
            onClick={() => {
              void take();
            }}
          >
            <span class="unseen">{capture.shoot}</span>
          </button>
          {frame === 'selfie' ? (
            <span />
          ) : (
            <button
              type="button"
              aria-pressed={automatic}
              onClick={() => {
                setAutomatic(!automatic);
              }}
            >
              {capture.automatic}
            </button>
          )}
        </div>
      </div>
    </dialog>
  );
}

/** A name that the standard gives what went wrong (Media Capture and Streams, 10.3.1). */
function faultOf(error: unknown): CameraFault {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'NONE';
  return name === 'NotReadableError' || name === 'AbortError' ? 'BUSY' : 'DENIED';
}
