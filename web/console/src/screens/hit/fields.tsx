import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../../api/client.js';
import { useCustomer } from '../../data/customers.js';
import { useEntryOf, type Hit } from '../../data/hits.js';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Pill } from '../../parts/controls.js';
import { common } from '../../texts/common.js';
import { date } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { hitTexts } from './texts.js';
import { Words } from './words.js';

type Entry = Schemas['EntryView'];

/** Qualifiers that speak for or against it, by the field that they are about. */
const SAYS: Readonly<Record<string, readonly [equal: readonly string[], different: readonly string[]]>> = {
  document: [
    ['DOCUMENT_EQUAL', 'MASKED_DOCUMENT_EQUAL'],
    ['DOCUMENT_DIFFERENT', 'MASKED_DOCUMENT_DIFFERENT'],
  ],
  born: [['BIRTH_DATE_EQUAL', 'BIRTH_YEAR_EQUAL'], ['BIRTH_DATE_DIFFERENT']],
  countries: [['NATIONALITY_SHARED'], ['NATIONALITY_DIFFERENT']],
};

/** Both sides field by field, with what screening concluded of each; what nobody told is a gap, and no difference. */
export function Fields({ hit }: { hit: Hit }): ReactElement {
  const t = useTexts(hitTexts);
  const c = useTexts(common);
  const may = useMay();
  const customer = useCustomer(may('customers:read') === 'YES' ? hit.customerId : null).data ?? null;
  const entry = useEntryOf(hit);
  const gap = <span className="quiet">{c.unknown}</span>;
  const list = (values: readonly string[] | undefined): ReactNode =>
    values === undefined || values.length === 0 ? gap : values.join(', ');
  const rowsOf = (found: Entry | null): readonly (readonly [string, ReactNode, ReactNode, ReactNode])[] => {
    const documents = found?.values.filter(({ type }) => type === 'DOCUMENT').map(({ value }) => value) ?? [];
    if (typeof found?.maskedDocument === 'string') documents.push(found.maskedDocument);
    return [
      [
        t.name,
        <Words key="asked" hit={hit} side="left" fallback={hit.asked} />,
        <Words key="found" hit={hit} side="right" fallback={hit.found} />,
        word('strength', hit.strength),
      ],
      [
        t.document,
        customer?.documentMasked ?? gap,
        list(documents),
        <Said key="document" hit={hit} field="document" />,
      ],
      [
        t.born,
        typeof customer?.birthDate === 'string' ? date(customer.birthDate) : gap,
        list(found?.birthDates.map((one) => (one.length === 10 ? date(one) : one))),
        <Said key="born" hit={hit} field="born" />,
      ],
      [
        t.countries,
        list(customer?.nationalities),
        list(found?.countries),
        <Said key="countries" hit={hit} field="countries" />,
      ],
      [
        t.isA,
        typeof customer?.personType === 'string' ? word('personType', customer.personType) : gap,
        found === null ? gap : word('entryKind', found.kind),
        null,
      ],
      [
        t.about,
        <>
          {word('party', hit.role)}
          {hit.customerId !== null && (
            <>
              {' · '}
              <Link to="/customers/$id" params={{ id: hit.customerId }}>
                {t.customer}
              </Link>
            </>
          )}
        </>,
        <>
          {word('listKind', hit.listKind)} · <code>{hit.entryKey}</code>
        </>,
        null,
      ],
      ...(found !== null && found.names.length > 1
        ? [[t.otherNames, null, found.names.slice(1).join('; '), null] as const]
        : []),
      ...(found !== null && (found.validFrom !== null || found.validUntil !== null)
        ? [
            [
              t.valid,
              null,
              [found.validFrom, found.validUntil].map((day) => (day === null ? '…' : date(day))).join(' – '),
              null,
            ] as const,
          ]
        : []),
      ...(found?.remarks ? [[t.remarks, null, found.remarks, null] as const] : []),
    ];
  };
  return (
    <section className="card stack">
      <h2>{t.sides}</h2>
      <Asked query={entry} lines={6}>
        {(found) => (
          <>
            {found === null && <p className="notice warn">{t.entryGone}</p>}
            <div className="scroll" role="region" aria-label={t.sides} tabIndex={0}>
              <table className="sides">
                <thead>
                  <tr>
                    <td />
                    <th scope="col">{t.asked}</th>
                    <th scope="col">{t.entry(hit.list)}</th>
                    <th scope="col">{t.compared}</th>
                  </tr>
                </thead>
                <tbody>
                  {rowsOf(found).map(([name, here, there, said]) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td>{here}</td>
                      <td>{there}</td>
                      <td>{said}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </Asked>
    </section>
  );
}

/** Says what screening concluded about a field: with a sign, not by colour alone. */
function Said({ hit, field }: { hit: Hit; field: string }): ReactElement {
  const t = useTexts(hitTexts);
  const [equal = [], different = []] = SAYS[field] ?? [];
  const said = hit.qualifiers.find((one) => equal.includes(one) || different.includes(one));
  if (said === undefined) return <span className="quiet">{t.notCompared}</span>;
  const agrees = equal.includes(said);
  return (
    <Pill tone={agrees ? 'bad' : 'good'}>
      {agrees ? '=' : '≠'} {word('qualifier', said)}
    </Pill>
  );
}
