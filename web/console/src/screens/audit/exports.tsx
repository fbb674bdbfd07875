import { useState, type ReactElement } from 'react';
import { download } from '../../api/client.js';
import { useMay } from '../../data/me.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { number, relative } from '../../texts/formats.js';
import { localeOf, useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useExports, useNewExport } from './data.js';
import { auditTexts } from './texts.js';

/** Packages that an outsider verifies without this service. */
export function Exports(): ReactElement {
  const t = useTexts(auditTexts);
  const language = useLanguage();
  const may = useMay();
  const complain = useComplain();
  const exports = useExports();
  const make = useNewExport();
  const [asking, ask] = useState(false);
  return (
    <section className="card stack">
      <div className="row">
        <h2>{t.exports}</h2>
        {may('audit:export') === 'YES' && (
          <Button
            className="end"
            onClick={() => {
              ask(true);
            }}
          >
            {t.newExport}
          </Button>
        )}
      </div>
      <Table
        caption={t.exports}
        pages={exports}
        keyOf={({ id }) => id}
        empty={t.exportsEmpty}
        columns={[
          [t.requested, ({ requestedAt }) => relative(requestedAt), 'quiet'],
          [t.why, ({ reason }) => reason],
          [
            '',
            ({ id, status, result, failureCode }) => (
              <span className="row">
                <Pill
                  tone={
                    status === 'READY' ? 'good' : status === 'BLOCKED' || status === 'FAILED' ? 'bad' : 'info'
                  }
                >
                  {word('exportStatus', status)}
                </Pill>
                {failureCode !== null && <code>{failureCode}</code>}
                {result && <span className="small">{t.entriesCount(number(result.entries))}</span>}
                {status === 'READY' && may('audit:export') === 'YES' && (
                  <Button
                    onClick={() => {
                      download(`/operator/audit/exports/${id}/content`, `${id}.zip`).then(() => {
                        say(t.saved);
                      }, complain);
                    }}
                  >
                    {t.download}
                  </Button>
                )}
              </span>
            ),
          ],
        ]}
      />
      {asking && (
        <FormDialog
          title={t.newExport}
          action={t.newExport}
          fields={[
            { name: 'reason', label: t.why, kind: 'long', minimum: 10 },
            { name: 'from', label: t.from, kind: 'date', optional: true },
            { name: 'to', label: t.to, kind: 'date', optional: true },
            {
              name: 'ready',
              label: t.ready,
              kind: 'choice',
              options: [
                ['no', t.no],
                ['yes', t.yes],
              ],
            },
          ]}
          onSend={async (filled) => {
            await make.mutateAsync({
              reason: filled.text('reason'),
              ...filled.span('from', 'to'),
              auditReady: filled.text('ready') === 'yes',
              language: localeOf(language) === 'en' ? 'en' : 'pt-BR',
            });
            say(t.asked);
          }}
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </section>
  );
}
