import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useConfirmFacts, useDeclare, type CustomerFile, type Declaration } from '../../data/customers.js';
import { useMay } from '../../data/me.js';
import { Button, Facts } from '../../parts/controls.js';
import { FormDialog, type Filled, type FormField } from '../../parts/dialogs/form-dialog.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { money } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { customersTexts } from './texts.js';

type Member = keyof Declaration;
const AMOUNT = /^\d{1,12}([.,]\d{1,2})?$/;

/** The limit at night, what waits for a second person, and the form that changes what was declared. */
export function Declared({ customer }: { customer: CustomerFile }): ReactElement {
  const t = useTexts(customersTexts);
  const c = useTexts(common);
  const may = useMay();
  const [asking, ask] = useState(false);
  const [confirming, confirm] = useState(false);
  const confirmation = useConfirmFacts(customer.id);
  const works = may('reviews:work');
  const { profile, waiting, unconfirmed } = customer;
  const inWords = (member: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t.yes : t.no;
    if (typeof value !== 'number') return t.notDeclared;
    return member === 'nightStartHour' ? `${value}:00` : money(value, 'BRL');
  };
  const names: Readonly<Record<string, string>> = t.declaredNames;
  const known: Readonly<Record<string, unknown>> = { ...profile };
  return (
    <section className="card stack">
      <h2>{t.declared}</h2>
      <Facts items={[[t.declaredNames.nightLimit, inWords('nightLimit', profile?.nightLimit)]]} />
      {waiting !== null && (
        <div className="notice warn">
          <strong>{t.waiting}</strong>
          <Facts
            items={Object.entries(waiting.change).map(([member, value]) => [
              names[member] ?? member,
              `${inWords(member, known[member])} → ${inWords(member, value)}`,
            ])}
          />
          <Link to="/approvals" search={{ id: waiting.approvalId }}>
            {t.seeRequest}
          </Link>
        </div>
      )}
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
  const c = useTexts(common);
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
  const faultOf = (text: string): string | null => (text === '' || AMOUNT.test(text) ? null : t.amountForm);
  const fields = (filled: Filled): readonly FormField[] => {
    const lowering = lowered(before, after(filled)).map((member) => {
      const name = t.declaredNames[member];
      return typeof after(filled)[member] === 'number' ? t.raised(name) : t.withdrawn(name);
    });
    return [
      ...amounts.map((member): FormField => ({
        name: member,
        label: `${t.declaredNames[member]} (R$)`,
        kind: 'number',
        optional: true,
        initial: String(before[member] ?? '').replace('.', language === 'pt' ? ',' : '.'),
        faultOf,
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
      ...(lowering.length === 0
        ? []
        : [
            {
              name: 'reason',
              label: c.why,
              kind: 'long',
              minimum: 20,
              hint: `${t.second(lowering.join(', '))} ${c.atLeast(20, filled.text('reason').length)}`,
            } as const,
          ]),
    ];
  };
  return (
    <FormDialog
      title={t.declare}
      action={t.declare}
      fields={fields}
      onSend={async (filled) => {
        const said = after(filled);
        const change: Declaration = Object.fromEntries(
          Object.entries(said).filter(([member, value]) => before[member as Member] !== value),
        );
        if (Object.keys(change).length === 0) {
          say(t.nothingChanged);
          return;
        }
        const asks = lowered(before, said).length > 0;
        await declare.mutateAsync({ change, reason: asks ? filled.text('reason') : null });
        say(asks ? t.asked : t.declaredSaved);
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.declareHint}</p>
    </FormDialog>
  );
}

/** Returns what the service takes from two people only: an exposure withdrawn, an amount raised or withdrawn. */
const lowered = (before: Declaration, after: Declaration): Member[] =>
  (Object.keys(before) as Member[]).filter((member) => {
    const [from, to] = [before[member] ?? null, after[member] ?? null];
    if (member === 'pep') return from === true && to !== true;
    return from !== null && (to === null || Number(to) > Number(from));
  });
