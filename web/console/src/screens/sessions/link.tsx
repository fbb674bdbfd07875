import type { ReactElement } from 'react';
import { Button } from '../../parts/controls.js';
import { Qr } from '../../parts/qr.js';
import { say } from '../../parts/toasts.js';
import { useTexts } from '../../texts/language.js';
import { sessionsTexts } from './texts.js';

/** The link of a session, to be scanned or copied; drawn here, and told to nobody. */
export function SessionLink({ url }: { url: string }): ReactElement {
  const t = useTexts(sessionsTexts);
  return (
    <div className="stack">
      <p className="quiet small">{t.linkHint}</p>
      <Qr text={url} label={t.scan} />
      <p>
        <code className="session-link">{url}</code>
      </p>
      <div className="row">
        <Button
          look="main"
          onClick={() => {
            void navigator.clipboard.writeText(url).then(() => {
              say(t.copied);
            });
          }}
        >
          {t.copy}
        </Button>
      </div>
    </div>
  );
}
