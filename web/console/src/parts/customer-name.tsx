import type { ReactElement } from 'react';
import { useCustomerRow } from '../data/customer-names.js';
import { useCustomer } from '../data/customers.js';
import { useMay } from '../data/me.js';
import { useTexts, type Catalogue } from '../texts/language.js';

const pt = {
  nobody: 'sem cliente identificado',
  erased: 'dados apagados',
  unnamed: 'ainda sem nome',
};
const en: typeof pt = { nobody: 'no customer identified', erased: 'data erased', unnamed: 'no name yet' };
const texts: Catalogue<typeof pt> = { pt, en };

/** The name of a customer, asked for when it is shown; the id for those who may not see customers. */
export function CustomerName({ id }: { id: string | null }): ReactElement {
  const t = useTexts(texts);
  const sees = useMay()('customers:read') === 'YES';
  const { data: row } = useCustomerRow(sees ? id : null);
  // A record that went into another one is asked for by itself.
  const { data: whole } = useCustomer(row === null ? id : null);
  if (id === null) return <span className="quiet">{t.nobody}</span>;
  if (!sees) return <code>{`…${id.slice(-6)}`}</code>;
  const known = row ?? whole;
  if (!known) return <span className="quiet">…</span>;
  if (whole?.erased === true) return <span className="quiet">{t.erased}</span>;
  const name = known.name ?? known.documentMasked ?? row?.externalCustomerId;
  if (name !== undefined && name !== null) return <>{name}</>;
  return (
    <span className="quiet">
      {t.unnamed} <code>{`…${id.slice(-6)}`}</code>
    </span>
  );
}
