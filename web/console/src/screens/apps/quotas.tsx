import type { ReactElement } from 'react';
import { allOf, Table } from '../../parts/lists/table.js';
import { number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useQuotas } from './data.js';
import { appsTexts } from './texts.js';

// Nobody reads thousands of millions of bytes.
const mebibytes = (count: number): string => `${number(Math.round(count / 2 ** 20))} MiB`;

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
            ({ name, used, limit }) => {
              const said = name === 'storedBytes' ? mebibytes : number;
              return `${used === null ? '—' : said(used)} / ${said(limit)}`;
            },
            'number',
          ],
        ]}
      />
    </section>
  );
}
