import { useState, type ReactElement } from 'react';
import type { Typed } from '../../data/calls/typed.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { Button } from '../controls.js';
import { say } from '../toasts.js';

/** The key of what is typed in a dialog: one for each thing that it may be about; null for what is not kept. */
export const typedKey = (title: string, about: string | null | undefined): string | null =>
  about === null ? null : [location.pathname, location.search, title, about ?? ''].join('|');

/** Says that a form shows what was typed before, and lets the person begin anew. */
export function Restored({
  typed,
}: {
  typed: Pick<Typed<unknown>, 'isRestored' | 'drop'>;
}): ReactElement | null {
  const c = useTexts(common);
  if (!typed.isRestored) return null;
  return (
    <p className="notice row" role="status">
      <span>{c.restored}</span>
      <Button look="bare" onClick={typed.drop}>
        {c.discard}
      </Button>
    </p>
  );
}

/** Sends what is typed and closes the form, or says why it could not be sent. */
export function useSend(
  typed: { readonly sent: () => void },
  onClose: () => void,
): {
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly send: (run: () => Promise<unknown>) => void;
} {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    isBusy,
    failure,
    send: (run) => {
      if (isBusy) return;
      setBusy(true);
      setFailure(null);
      run().then(
        () => {
          typed.sent();
          onClose();
        },
        (error: unknown) => {
          setFailure(error);
          setBusy(false);
        },
      );
    },
  };
}

/** Closes a dialog; what is typed in it stays, and the person is told so. */
export function useClose(
  typed: Pick<Typed<unknown>, 'isDirty' | 'drop'>,
  isKept: boolean,
  onClose: () => void,
): () => void {
  const c = useTexts(common);
  return () => {
    if (isKept && typed.isDirty) say(c.keptTyped, { action: { label: c.discard, run: typed.drop } });
    onClose();
  };
}
