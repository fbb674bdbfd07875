import { useState, type ReactElement } from 'react';
import { download } from '../../api/client.js';
import { asProblem } from '../../api/problem.js';
import { failureText } from '../../parts/failure-text.js';
import { useCustomerAct, useReveal, type CustomerAct, type CustomerFile } from '../../data/customers.js';
import { useMay } from '../../data/me.js';
import { Button, Facts } from '../../parts/controls.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { localeOf, useLanguage, useTexts } from '../../texts/language.js';
import { customersTexts } from './texts.js';

export function Actions({ customer }: { customer: CustomerFile }): ReactElement | null {
  const t = useTexts(customersTexts);
  const c = useTexts(common);
  const language = useLanguage();
  const may = useMay();
  const reveal = useReveal(customer.id);
  const act = useCustomerAct(customer.id);
  const [asking, ask] = useState<CustomerAct | 'REVEAL' | null>(null);
  const save = (kind: 'dossier' | 'subject-export'): void => {
    const path = `/operator/customers/${customer.id}/${kind}.pdf?lang=${localeOf(language)}`;
    download(path, `${kind}-${customer.id}.pdf`).then(
      () => {
        say(t.saved);
      },
      (error: unknown) => {
        say(failureText(asProblem(error), c), { bad: true });
      },
    );
  };
  const acts = [
    ['customers:reveal', 'REVEAL', t.reveal],
    [
      'customers:erase',
      customer.legalHold ? 'LIFT_HOLD' : 'HOLD',
      customer.legalHold ? t.liftHold : t.placeHold,
    ],
    ['customers:erase', 'ERASE', t.erase],
  ] as const;
  const allowed = acts.filter(([permission]) => may(permission) !== 'NO');
  const exports = may('customers:export') !== 'NO';
  if (allowed.length === 0 && !exports) return null;
  const hints = { REVEAL: t.revealHint, HOLD: t.placeHoldHint, LIFT_HOLD: null, ERASE: t.eraseHint };
  return (
    <section className="card stack">
      <h2>{t.actions}</h2>
      <div className="row">
        {exports && (
          <Button
            disabled={may('customers:export') !== 'YES'}
            onClick={() => {
              save('dossier');
            }}
          >
            {t.dossier}
          </Button>
        )}
        {may('customers:reveal') === 'YES' && (
          <Button
            onClick={() => {
              save('subject-export');
            }}
          >
            {t.subjectExport}
          </Button>
        )}
        {!customer.erased &&
          allowed.map(([permission, kind, label]) => (
            <Button
              key={kind}
              {...(kind === 'ERASE' && { look: 'danger' as const })}
              disabled={may(permission) !== 'YES'}
              onClick={() => {
                ask(kind);
              }}
            >
              {label}
            </Button>
          ))}
      </div>
      {reveal.data && (
        <div className="notice">
          <strong>{t.revealed}</strong>
          <Facts
            items={[
              [t.name, reveal.data.name ?? '—'],
              [t.document, reveal.data.document ?? '—'],
              [t.email, reveal.data.email ?? '—'],
              [t.phone, reveal.data.phone ?? '—'],
            ]}
          />
        </div>
      )}
      {asking !== null && (
        <WritingDialog
          title={allowed.find(([, kind]) => kind === asking)?.[2] ?? t.confirm}
          label={t.why}
          minimum={20}
          action={t.confirm}
          danger={asking === 'ERASE'}
          onSend={async (reason) => {
            if (asking === 'REVEAL') await reveal.mutateAsync(reason);
            else {
              const { asked } = await act.mutateAsync({ act: asking, reason });
              say(asked === null ? t.held : t.asked);
            }
          }}
          onClose={() => {
            ask(null);
          }}
        >
          {hints[asking] !== null && <p className="quiet">{hints[asking]}</p>}
        </WritingDialog>
      )}
    </section>
  );
}
