import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { UploadLimits } from '../api.js';
import { useLanguage, useTexts } from '../texts/language.js';
import { Icon } from '../parts/icons.js';

export const isPicture = (file: Blob): boolean => file.type.startsWith('image/');

const NAMES: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'application/pdf': 'PDF',
};

export const typeNames = (limits: UploadLimits): string =>
  limits.mimeTypes.map((type) => NAMES[type] ?? type).join(', ');

export function FileButton({
  id,
  what,
  primary,
  limits,
  focusHere,
  onFile,
}: {
  readonly id: string;
  readonly what: string;
  readonly primary: boolean;
  readonly limits: UploadLimits;
  readonly focusHere: ((element: HTMLElement | null) => void) | null;
  readonly onFile: (file: File) => void;
}): VNode {
  const texts = useTexts();
  return (
    <span class="file-button">
      <input
        id={id}
        type="file"
        ref={focusHere}
        // Naming exact types makes iPhones hand out JPEG instead of HEIC.
        accept={limits.mimeTypes.join(',')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onFile(file);
          event.currentTarget.value = '';
        }}
      />
      <label for={id} class={primary ? 'button primary' : 'button'}>
        <Icon name="file" />
        {texts.capture.choose}
        <span class="unseen">: {what}</span>
      </label>
    </span>
  );
}

/** The picture that is about to be sent, from the memory of this browser. */
export function Preview({ file }: { readonly file: Blob }): VNode {
  const texts = useTexts();
  const language = useLanguage();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!isPicture(file)) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [file]);
  if (!isPicture(file)) {
    return (
      <p class="document-file">
        <Icon name="file" />
        {texts.capture.file(NAMES[file.type] ?? '', sizeOf(file, language))}
      </p>
    );
  }
  return <div class="preview">{url !== null && <img src={url} alt={texts.capture.preview} />}</div>;
}

const sizeOf = ({ size }: Blob, language: string): string =>
  size < 1_048_576
    ? `${new Intl.NumberFormat(language).format(Math.max(1, Math.round(size / 1_024)))} kB`
    : `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(size / 1_048_576)} MB`;
