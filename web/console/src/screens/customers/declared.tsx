import { useState, type ReactElement } from 'react';
import { useConfirmFacts, useDeclare, type CustomerFile, type Declaration } from '../../data/customers.js';
import { useMay } from '../../data/me.js';
import { Button, Facts } from '../../parts/controls.js';
import type { Filled } from '../../parts/dialogs/filled.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { money } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { customersTexts } from './texts.js';

type Member = keyof Declaration;
/** The limit at night, what one person alone wrote down, and the form that changes what was declared. */
export function Declared({ customer }: { customer: CustomerFile }): ReactElement {
  const t = useTexts(customersTexts);
  const c = useTexts(common);
  const may = useMay();
  const [asking, ask] = useState(false);
  const [confirming, confirm] = useState(false);
  const confirmation = useConfirmFacts(customer.id);
  const works = may('reviews:work');
  const { profile, unconfirmed } = customer;
  const names: Readonly<Record<string, string>> = t.declaredNames;
  const limit = profile?.nightLimit ?? null;
  return (
    <section className="card stack">
      <h2>{t.declared}</h2>
      <Facts items={[[t.declaredNames.nightLimit, limit === null ? t.notDeclared : money(limit, 'BRL')]]} />
      {unconfirmed.length > 0 && (
        <div className="notice warn">
          <strong>{t.unconfirmed}</strong>
          <p>{unconfirmed.map((member) => names[member] ?? member).join(', ')}</p>
        </div>
      )}
      {works !== 'NO' && (
        <div className="row">
          {unconfirmed.length > 0 && (
            <Button
              disabled={works !== 'YES'}
              onClick={() => {
                confirm(true);
              }}
            >
              {t.confirmFacts}
            </Button>
          )}
          <Button
            disabled={works !== 'YES'}
            onClick={() => {
              ask(true);
            }}
          >
            {t.declare}
          </Button>
        </div>
      )}
      {confirming && (
        <WritingDialog
          title={t.confirmFacts}
          label={c.why}
          action={t.confirmFacts}
          minimum={20}
          onSend={async (reason) => {
            await confirmation.mutateAsync(reason);
            say(t.asked);
          }}
          onClose={() => {
            confirm(false);
          }}
        />
      )}
      {asking && (
        <DeclareDialog
          customer={customer}
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </section>
  );
}

function DeclareDialog({
  customer: { id, personType, profile },
  onClose,
}: {
  customer: CustomerFile;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(customersTexts);
  const language = useLanguage();
  const declare = useDeclare(id);
  const amounts = [personType === 'LEGAL' ? 'monthlyRevenue' : 'monthlyIncome', 'nightLimit'] as const;
  const before: Declaration = Object.fromEntries(
    [...amounts, 'pep' as const].map((member) => [member, profile?.[member] ?? null]),
  );
  const after = (filled: Filled): Declaration => ({
    ...Object.fromEntries(amounts.map((member) => [member, filled.number(member)[member] ?? null])),
    pep: filled.text('pep') === '' ? null : filled.text('pep') === 'true',
  });
  const fields: readonly FormField[] = [
    ...amounts.map((member): FormField => ({
      name: member,
      label: `${t.declaredNames[member]} (R$)`,
      kind: 'number',
      optional: true,
      initial: String(before[member] ?? '').replace('.', language === 'pt' ? ',' : '.'),
    })),
    {
      name: 'pep',
      label: t.declaredNames.pep,
      kind: 'choice',
      optional: true,
      options: [
        ['true', t.yes],
        ['false', t.no],
      ],
      initial: String(before.pep ?? ''),
    },
  ];
  return (
    <FormDialog
      title={t.declare}
      action={t.declare}
      fields={fields}
      onSend={async (filled) => {
        const change: Declaration = Object.fromEntries(
          Object.entries(after(filled)).filter(([member, value]) => before[member as Member] !== value),
        );
        if (Object.keys(change).length === 0) {
          say(t.nothingChanged);
          return;
        }
        await declare.mutateAsync(change);
        say(t.declaredSaved);
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.declareHint}</p>
    </FormDialog>
  );
}
