import type { ReactElement, ReactNode } from 'react';
import { useTyped } from '../../data/calls/typed.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { Failure } from '../answers.js';
import { Button, Field } from '../controls.js';
import { useShortcuts } from '../shortcuts.js';
import { Dialog } from './dialog.js';
import { typedKey, Restored, useClose, useSend } from './kept.js';

interface WritingDialogProps {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly minimum?: number;
  /** A text to begin with, made of what was looked at; the person signs it. */
  readonly draft?: () => string;
  /** The object of the text, where its page shows several. */
  readonly about?: string;
  readonly children?: ReactNode;
  readonly onSend: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a text, a note or a reason, and sends it; stays open with what went wrong. */
export function WritingDialog({
  title,
  label,
  action,
  danger,
  minimum = 1,
  draft,
  about,
  children,
  onSend,
  onClose,
}: WritingDialogProps): ReactElement {
  const c = useTexts(common);
  const typed = useTyped(typedKey(title, about), '');
  const { value: text, set: setText } = typed;
  const close = useClose(typed, true, onClose);
  const { isBusy, failure, send: run } = useSend(typed, onClose);
  const enough = text.trim().length >= minimum;
  const send = (): void => {
    if (enough) run(() => onSend(text.trim()));
  };
  const begin = (): void => {
    if (draft) setText(draft());
  };
  useShortcuts(draft ? [{ keys: 'Ctrl E', label: c.draft, run: begin }] : []);
  return (
    <Dialog title={title} onClose={close} stays={typed.isDirty}>
      <section>
        {children}
        <Restored typed={typed} />
        {failure !== null && <Failure error={failure} />}
        <Field label={label} {...(minimum > 1 && { hint: c.atLeast(minimum, text.trim().length) })}>
          {(given) => (
            <textarea
              {...given}
              autoFocus
              value={text}
              onChange={(event) => {
                setText(event.target.value);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
              }}
            />
          )}
        </Field>
        <div className="row">
          <Button
            look={danger === true ? 'danger' : 'main'}
            keys="Ctrl Enter"
            disabled={!enough || isBusy}
            onClick={send}
          >
            {action}
          </Button>
          {draft && (
            <Button keys="Ctrl E" onClick={begin}>
              {c.draft}
            </Button>
          )}
          <Button onClick={close}>{c.cancel}</Button>
        </div>
      </section>
    </Dialog>
  );
}
