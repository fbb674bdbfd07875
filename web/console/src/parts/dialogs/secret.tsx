import type { ReactElement } from 'react';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { Button } from '../controls.js';
import { Dialog } from './dialog.js';
import { say } from '../toasts.js';

/** Shows a secret once; it is gone with this dialog. */
export function SecretDialog({
  title,
  hint,
  secrets,
  onClose,
}: {
  title: string;
  hint: string;
  secrets: readonly (readonly [name: string, value: string])[];
  onClose: () => void;
}): ReactElement {
  const c = useTexts(common);
  const all = secrets.map(([, value]) => value).join('\n');
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <p className="notice warn">{hint}</p>
        <dl className="facts">
          {secrets.map(([name, value], at) => (
            <div key={at} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
        <div className="row">
          <Button
            look="main"
            onClick={() => {
              void navigator.clipboard.writeText(all).then(() => {
                say(c.copied);
              });
            }}
          >
            {c.copy}
          </Button>
          <Button onClick={onClose}>{c.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
