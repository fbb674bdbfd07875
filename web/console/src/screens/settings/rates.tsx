import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Button } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { allOf, Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { date, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { useImportRates, useRates, type WantedRate } from './data.js';
import { settingsTexts } from './texts.js';

/** Reads one rate a line: day, currency, reais per unit. The service judges them and names the one that is wrong. */
const ratesIn = (text: string): WantedRate[] =>
  text.split('\n').flatMap((line) => {
    const [day = '', currency = '', rate = ''] = line.trim().split(/[;\s]+/);
    return day === '' ? [] : [{ date: day, currency: currency.toUpperCase(), rate: rate.replace(',', '.') }];
  });

/** Shows what foreign amounts are worth, by the newest rate of each currency; two people set others. */
export function Rates(): ReactElement {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const may = useMay();
  const rates = useRates();
  const bring = useImportRates();
  const [asking, ask] = useState(false);
  return (
    <section className="card stack">
      <header className="row">
        <h2>{t.rates}</h2>
        {may('settings:manage') === 'YES' && (
          <Button
            className="end"
            onClick={() => {
              ask(true);
            }}
          >
            {t.setRates}
          </Button>
        )}
      </header>
      <Table
        caption={t.rates}
        pages={allOf(rates)}
        keyOf={({ currency }) => currency}
        empty={t.noRates}
        columns={[
          [t.currency, ({ currency }) => <strong>{currency}</strong>],
          [t.perUnit, ({ rate }) => rate, 'number'],
          [t.day, (one) => date(one.date)],
          [t.source, ({ source }) => source],
          [t.brought, ({ importedAt }) => relative(importedAt), 'quiet'],
        ]}
      />
      {asking && (
        <FormDialog
          title={t.setRates}
          action={t.setRates}
          fields={[
            { name: 'source', label: t.source, kind: 'text', initial: 'PTAX' },
            { name: 'rates', label: t.rateLines, kind: 'code', hint: t.rateLinesHint },
            { name: 'reason', label: c.why, kind: 'long', minimum: 10 },
          ]}
          onSend={async (filled) => {
            await bring.mutateAsync({
              source: filled.text('source'),
              rates: ratesIn(filled.text('rates')),
              reason: filled.text('reason'),
            });
            say(c.askedSecond);
          }}
          onClose={() => {
            ask(false);
          }}
        >
          <p className="quiet">{t.setRatesHint}</p>
        </FormDialog>
      )}
    </section>
  );
}
