import type { ReactElement } from 'react';
import { Choice } from '../../../parts/controls.js';
import { useTexts } from '../../../texts/language.js';
import { codesOf, word } from '../../../texts/words.js';
import type { Draft } from '../data.js';
import { Actions } from './actions.js';
import { AsText } from './as-text.js';
import { Parameters } from './parameters.js';
import { Cell, Rows } from './rows.js';
import { fieldTexts } from './texts.js';

export interface FieldsProps {
  readonly draft: Draft;
  readonly readOnly: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
}

const EVERYTHING = ['*'];

/** Shows where a rule applies, its thresholds, how grave a hit is and what follows from it. */
export function RuleFields({ draft, readOnly, onChange }: FieldsProps): ReactElement {
  const t = useTexts(fieldTexts);
  const applies = draft.appliesTo ?? {};
  const setApplies = (part: NonNullable<Draft['appliesTo']>): void => {
    onChange({ appliesTo: { ...applies, ...part } });
  };
  const { minOutcome = null } = draft.effect;
  return (
    <>
      <details>
        <summary>
          {t.applies}: {scopeOf(draft, t)}
        </summary>
        <Checks
          title={t.types}
          group="transactionType"
          chosen={applies.types ?? EVERYTHING}
          readOnly={readOnly}
          onChange={(types) => {
            setApplies({ types });
          }}
        />
        <Checks
          title={t.channels}
          group="channel"
          chosen={applies.channels ?? EVERYTHING}
          readOnly={readOnly}
          onChange={(channels) => {
            setApplies({ channels });
          }}
        />
        <Choice
          label={t.direction}
          value={applies.directions?.length === 1 ? (applies.directions[0] ?? 'IN') : 'BOTH'}
          options={[
            ['BOTH', t.both],
            ['IN', t.in],
            ['OUT', t.out],
          ]}
          onChange={(one) => {
            setApplies({ directions: one === 'BOTH' ? ['IN', 'OUT'] : [one] });
          }}
        />
      </details>
      <Parameters draft={draft} readOnly={readOnly} onChange={onChange} />
      <div className="fields">
        <Choice
          label={t.severity}
          value={draft.severity ?? 'MEDIUM'}
          options={(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const).map((one) => [
            one,
            word('priority', one),
          ])}
          onChange={(severity) => {
            onChange({ severity });
          }}
        />
        <Choice
          label={t.minOutcome}
          value={minOutcome ?? 'NONE'}
          options={[
            ['NONE', t.byScore],
            ['REVIEW', word('outcome', 'REVIEW')],
          ]}
          onChange={(one) => {
            onChange({ effect: { ...draft.effect, minOutcome: one === 'REVIEW' ? 'REVIEW' : null } });
          }}
        />
        <Choice
          label={t.undecided}
          value={draft.onIndeterminate ?? 'PARTIAL'}
          options={[
            ['PARTIAL', t.toAPerson],
            ['RECORD', t.onlyRecorded],
          ]}
          onChange={(onIndeterminate) => {
            onChange({ onIndeterminate });
          }}
        />
      </div>
      <Rows
        title={t.basis}
        items={draft.legalBasis ?? []}
        blank={{ norm: '', item: '', siscoafCode: null }}
        readOnly={readOnly}
        words={{ add: t.addBasis, remove: t.remove }}
        onChange={(legalBasis) => {
          onChange({ legalBasis: [...legalBasis] });
        }}
      >
        {({ norm, item, siscoafCode }, set, at) => (
          <>
            <Cell
              label={`${t.norm} ${at + 1}`}
              value={norm}
              onText={(text) => {
                set({ norm: text });
              }}
            />
            <Cell
              label={`${t.item} ${at + 1}`}
              value={item}
              onText={(text) => {
                set({ item: text });
              }}
            />
            <Cell
              label={`${t.siscoaf} ${at + 1}`}
              value={String(siscoafCode ?? '')}
              onText={(text) => {
                const digits = text.replace(/\D/g, '');
                set({ siscoafCode: digits === '' ? null : Number(digits) });
              }}
            />
          </>
        )}
      </Rows>
      <Actions draft={draft} readOnly={readOnly} onChange={onChange} />
      <AsText draft={draft} readOnly={readOnly} onChange={onChange} />
    </>
  );
}

function scopeOf({ appliesTo }: Draft, t: (typeof fieldTexts)['pt']): string {
  const { types = EVERYTHING, channels = EVERYTHING, directions = ['IN', 'OUT'] } = appliesTo ?? {};
  const listed = (group: string, codes: readonly string[], all: string): string =>
    codes.includes('*') ? all : codes.map((one) => t.families[one] ?? word(group, one)).join(', ');
  return [
    listed('transactionType', types, t.allTypes),
    listed('channel', channels, t.allChannels),
    directions.length === 2 ? t.both : t[directions[0] === 'OUT' ? 'out' : 'in'],
  ].join(' · ');
}

function Checks({
  title,
  group,
  chosen,
  readOnly,
  onChange,
}: {
  title: string;
  group: string;
  chosen: readonly string[];
  readOnly: boolean;
  onChange: (chosen: string[]) => void;
}): ReactElement {
  const picked = chosen.filter((one) => one !== '*');
  // A pattern, as PIX_*, stands among the codes that have words.
  const codes = [...new Set([...codesOf(group), ...picked])];
  return (
    <fieldset className="checks" disabled={readOnly}>
      <legend>{title}</legend>
      {codes.map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            checked={picked.includes(one)}
            onChange={(event) => {
              const next = event.target.checked ? [...picked, one] : picked.filter((other) => other !== one);
              onChange(next.length === 0 ? EVERYTHING : next);
            }}
          />{' '}
          {codesOf(group).includes(one) ? word(group, one) : <code>{one}</code>}
        </label>
      ))}
    </fieldset>
  );
}
