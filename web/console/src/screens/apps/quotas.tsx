import type { ReactElement } from 'react';
import { allOf, Table } from '../../parts/lists/table.js';
import { number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useQuotas } from './data.js';
import { appsTexts } from './texts.js';

/** Shows how much of its quotas the organisation uses. */
export function Quotas({ hint }: { hint?: string }): ReactElement {
  const t = useTexts(appsTexts);
  const quotas = useQuotas();
  return (
    <section className="card stack">
      <h2>{t.quotas}</h2>
      {hint !== undefined && <p className="quiet small">{hint}</p>}
      <Table
        caption={t.quotas}
        pages={allOf(quotas)}
        keyOf={({ name }) => name}
        empty={t.empty}
        columns={[
          [t.quota, ({ name }) => word('quota', name)],
          [
            t.usedOf,
            ({ used, limit }) => `${used === null ? '—' : number(used)} / ${number(limit)}`,
            'number',
          ],
        ]}
      />
    </section>
  );
}
