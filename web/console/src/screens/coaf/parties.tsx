import type { ReactElement } from 'react';
import { Button } from '../../parts/controls.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import type { Party } from './data.js';
import { coafTexts } from './texts.js';

const ROLES = [
  'HOLDER',
  'RESPONSIBLE',
  'DEPOSITOR',
  'PARTNER',
  'DIRECTOR',
  'DRAWER',
  'ATTORNEY',
  'OTHER',
  'BENEFICIARY',
  'SENDER',
] as const;

/** Somebody of the communication as they stand in the form; without a position they are new. */
export interface Row {
  readonly position: number | null;
  readonly name: string;
  readonly role: Party['role'];
  readonly account: string;
  readonly taxId: string;
}

/** The people of the communication; documents are masked, and one that is typed in replaces what is there. */
export function Parties({
  rows,
  shown,
  writes,
  onChange,
}: {
  rows: readonly Row[];
  shown: readonly Party[];
  writes: boolean;
  onChange: (rows: readonly Row[]) => void;
}): ReactElement {
  const t = useTexts(coafTexts);
  const set = (at: number, part: Partial<Row>): void => {
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  };
  const cell = (at: number, row: Row, name: 'name' | 'account' | 'taxId', label: string): ReactElement => (
    <input
      className={name === 'name' ? 'input wide-cell' : 'input'}
      aria-label={`${label} ${at + 1}`}
      readOnly={!writes}
      autoComplete="off"
      value={row[name]}
      {...(name === 'taxId' && {
        placeholder: shown.find(({ position }) => position === row.position)?.documentMasked ?? '',
      })}
      onChange={(event) => {
        set(at, { [name]: event.target.value });
      }}
    />
  );
  return (
    <>
      <div className="scroll" role="region" aria-label={t.parties} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.role}</th>
              <th scope="col">{t.document}</th>
              <th scope="col">{t.account}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <td>{cell(at, row, 'name', t.name)}</td>
                <td>
                  <select
                    className="input"
                    aria-label={`${t.role} ${at + 1}`}
                    disabled={!writes}
                    value={row.role}
                    onChange={(event) => {
                      set(at, { role: event.target.value as Party['role'] });
                    }}
                  >
                    {ROLES.map((role) => (
                      <option key={role} value={role}>
                        {word('partyRole', role)}
                      </option>
                    ))}
                  </select>
                </td>
                <td>{cell(at, row, 'taxId', t.document)}</td>
                <td>{cell(at, row, 'account', t.account)}</td>
                <td>
                  {writes && rows.length > 1 && (
                    <Button
                      look="bare"
                      aria-label={`${t.removeParty} ${at + 1}`}
                      onClick={() => {
                        onChange(rows.filter((_, index) => index !== at));
                      }}
                    >
                      {t.removeParty}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {writes && (
        <div className="row">
          <Button
            onClick={() => {
              onChange([...rows, { position: null, name: '', role: 'OTHER', account: '', taxId: '' }]);
            }}
          >
            {t.addParty}
          </Button>
          <span className="quiet small">{t.documentKeep}</span>
        </div>
      )}
    </>
  );
}
