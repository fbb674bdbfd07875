import { useState, type ReactElement } from 'react';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { Qr } from '../../parts/qr.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { dateTime, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { useDropDraft, usePreviewLink, usePublishDraft, type Draft } from './data.js';
import { flowsTexts } from './texts.js';

/** The draft as the service keeps it: what is wrong in it, a look at it on a phone, and how it comes into force. */
export function DraftBar({
  draft,
  changed,
  revision = draft.revision,
  writes,
}: {
  draft: Draft;
  changed: boolean;
  revision: number | undefined;
  writes: boolean;
}): ReactElement {
  const t = useTexts(flowsTexts);
  const c = useTexts(common);
  const complain = useComplain();
  const drop = useDropDraft(draft.key);
  const preview = usePreviewLink(draft.key);
  const publish = usePublishDraft(draft.key);
  const [asking, ask] = useState(false);
  return (
    <section className="card stack" aria-label={t.draft}>
      <div className="row">
        <Pill tone="warn">{t.draft}</Pill>
        <Pill tone={draft.valid ? 'good' : 'bad'}>
          {draft.valid ? t.valid : t.problems(draft.problems.length)}
        </Pill>
        <span className="quiet small">
          {t.revision(draft.revision, relative(draft.updatedAt))}
          {changed && ` · ${t.notKept}`}
        </span>
        {writes && (
          <span className="row end">
            <Button
              disabled={changed || !draft.valid || preview.isPending}
              onClick={() => {
                preview.mutate(undefined, { onError: complain });
              }}
            >
              {t.previewLink}
            </Button>
            <Button
              look="danger"
              disabled={drop.isPending}
              onClick={() => {
                drop.mutate(undefined, {
                  onSuccess: () => {
                    say(t.dropped);
                  },
                  onError: complain,
                });
              }}
            >
              {t.drop}
            </Button>
            <Button
              look="main"
              disabled={changed || !draft.valid}
              onClick={() => {
                ask(true);
              }}
            >
              {t.ask}
            </Button>
          </span>
        )}
      </div>
      {draft.problems.length > 0 && (
        <ul className="plain small">
          {draft.problems.map(({ path, code, message }, at) => (
            <li key={at}>
              <Pill tone="bad">{code}</Pill> <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {preview.data && (
        <Dialog
          title={t.previewLink}
          onClose={() => {
            preview.reset();
          }}
        >
          <section>
            <p className="quiet">{t.previewHint(dateTime(preview.data.expiresAt))}</p>
            <Qr text={preview.data.url} label={t.previewLink} />
            <p>
              <a href={preview.data.url} target="_blank" rel="noopener noreferrer">
                {t.openPreview}
              </a>
            </p>
          </section>
        </Dialog>
      )}
      {asking && (
        <WritingDialog
          title={t.ask}
          label={c.why}
          minimum={20}
          action={t.ask}
          onSend={async (reason) => {
            await publish.mutateAsync({ revision, reason });
            say(c.askedSecond);
          }}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{t.askHint}</p>
        </WritingDialog>
      )}
    </section>
  );
}
