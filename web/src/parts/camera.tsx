import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { jpegOf } from '../uploads/image.js';
import { useTexts } from '../texts/language.js';

export type Frame = 'document' | 'selfie' | 'page';

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

/** Shows the camera's picture, with a frame to fit things into; nothing leaves it until the person takes a photo. */
export function Camera({
  facing,
  frame,
  onPhoto,
  onCancel,
  onDenied,
}: {
  readonly facing: 'user' | 'environment';
  readonly frame: Frame;
  readonly onPhoto: (photo: Blob) => void;
  readonly onCancel: () => void;
  readonly onDenied: () => void;
}): VNode {
  const texts = useTexts();
  const video = useRef<HTMLVideoElement>(null);
  const shoot = useRef<HTMLButtonElement>(null);
  const [running, setRunning] = useState(false);

  useEffect(() => {
    let stream: MediaStream | null = null;
    let closed = false;
    const stop = (): void => {
      stream?.getTracks().forEach((track) => {
        track.stop();
      });
    };
    const open = async (): Promise<void> => {
      const wanted = { facingMode: { ideal: facing }, width: { ideal: 1920 }, height: { ideal: 1080 } };
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
      if (closed || !video.current) {
        stop();
        return;
      }
      video.current.srcObject = stream;
      await video.current.play();
      setRunning(true);
      shoot.current?.focus();
    };
    open().catch(() => {
      if (!closed) onDenied();
    });
    return () => {
      closed = true;
      stop();
    };
  }, []);

  const take = async (): Promise<void> => {
    const source = video.current;
    if (!running || !source || source.videoWidth === 0) return;
    const photo = await jpegOf(source, source.videoWidth, source.videoHeight);
    if (photo) onPhoto(photo);
  };

  return (
    <div class="camera">
      <div class={`viewfinder ${frame}`}>
        <video
          ref={video}
          class={facing === 'user' ? 'mirrored' : ''}
          playsInline
          muted
          aria-label={texts.capture.camera}
        />
        <div class="frame" aria-hidden="true" />
      </div>
      <p class="hint" role="status">
        {!running
          ? texts.capture.starting
          : frame === 'selfie'
            ? texts.capture.frameSelfie
            : texts.capture.frameDocument}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          ref={shoot}
          aria-disabled={!running}
          onClick={() => {
            void take();
          }}
        >
          {texts.capture.shoot}
        </button>
        <button type="button" onClick={onCancel}>
          {texts.capture.cancel}
        </button>
      </div>
    </div>
  );
}
