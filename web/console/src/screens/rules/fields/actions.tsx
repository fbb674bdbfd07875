import type { ReactElement } from 'react';
import { useTexts } from '../../../texts/language.js';
import type { FieldsProps } from './rule-fields.js';
import { Cell, Rows } from './rows.js';
import { fieldTexts } from './texts.js';

type Action = Readonly<Record<string, string>>;

const BLANK_ACTIONS: Readonly<Record<string, Action>> = {
  STEP_UP_SESSION: { type: 'STEP_UP_SESSION', flowKey: '', onlyIfNoneWithin: 'P30D', expiresIn: 'PT30M' },
  OPEN_CASE: { type: 'OPEN_CASE', queue: '' },
};

/** Lists what is asked of the customer, or of the desk, when the rule hits. */
export function Actions({ draft, readOnly, onChange }: FieldsProps): ReactElement {
  const t = useTexts(fieldTexts);
  return (
    <Rows<Action>
      title={t.actions}
      items={(draft.actions ?? []) as unknown as readonly Action[]}
      blank={BLANK_ACTIONS['STEP_UP_SESSION'] ?? {}}
      readOnly={readOnly}
      words={{ add: t.addAction, remove: t.remove }}
      onChange={(actions) => {
        onChange({ actions: actions.map((one) => ({ ...one })) });
      }}
    >
      {(action, set, at) => (
        <>
          <select
            className="input slim"
            aria-label={`${t.action} ${at + 1}`}
            value={action['type'] ?? ''}
            onChange={(event) => {
              const actions = [...((draft.actions ?? []) as unknown as Action[])];
              actions[at] = BLANK_ACTIONS[event.target.value] ?? action;
              onChange({ actions: actions.map((one) => ({ ...one })) });
            }}
          >
            <option value="STEP_UP_SESSION">{t.stepUp}</option>
            <option value="OPEN_CASE">{t.openCase}</option>
          </select>
          {Object.entries(action)
            .filter(([member]) => member !== 'type')
            .map(([member, text]) => (
              <Cell
                key={member}
                code
                label={`${t.members[member] ?? member} ${at + 1}`}
                value={text}
                onText={(typed) => {
                  set({ [member]: typed });
                }}
              />
            ))}
        </>
      )}
    </Rows>
  );
}
