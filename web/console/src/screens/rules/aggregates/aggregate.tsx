import { useState, type ReactElement, type ReactNode } from 'react';
import { useVocabulary } from '../../../data/what-if.js';
import { Asked } from '../../../parts/answers.js';
import { Button, Field } from '../../../parts/controls.js';
import { Dialog } from '../../../parts/dialogs/dialog.js';
import { common } from '../../../texts/common.js';
import { useLanguage, useTexts } from '../../../texts/language.js';
import { word } from '../../../texts/words.js';
import { ConditionEditor } from '../condition-editor.js';
import type { Aggregate } from '../data.js';
import { formTexts } from './form-texts.js';

type Vocabulary = NonNullable<ReturnType<typeof useVocabulary>['data']>;
const BLANK: Aggregate = { function: 'count', by: 'customer', window: '30d' };
const TEXTS = ['of', 'by', 'window', 'offset', 'where'] as const;

interface AggregateDialogProps {
  readonly name: string;
  readonly aggregate: Aggregate | null;
  readonly onKeep: (name: string, aggregate: Aggregate) => void;
  readonly onClose: () => void;
}

/** One aggregate as a form, with what the service offers to choose from; the rule keeps it as JSON. */
export function AggregateDialog(props: AggregateDialogProps): ReactElement {
  const t = useTexts(formTexts);
  const vocabulary = useVocabulary();
  return (
    <Dialog title={props.name === '' ? t.addAggregate : props.name} wide onClose={props.onClose}>
      <Asked query={vocabulary}>{(data) => <Form {...props} vocabulary={data} />}</Asked>
    </Dialog>
  );
}

const OF_RATIO: readonly string[] = ['function', 'of', 'label'];

/** Leaves out what is empty, and what the figure does not have. */
function filled({ events = [], ...rest }: Aggregate): Aggregate {
  const types = events.filter((type) => type !== '');
  const one: Aggregate = types.length > 0 ? { ...rest, events: types } : rest;
  const members = Object.entries(one).filter(
    ([name, value]) =>
      (types.length === 0 || name !== 'current') &&
      !((TEXTS as readonly string[]).includes(name) && value === '') &&
      (one.function !== 'ratio' || OF_RATIO.includes(name)) &&
      (one.function === 'percentile' || name !== 'percentile'),
  );
  return Object.fromEntries(members) as unknown as Aggregate;
}

function Form({
  name: before,
  aggregate,
  vocabulary,
  onKeep,
  onClose,
}: AggregateDialogProps & { vocabulary: Vocabulary }): ReactElement {
  const t = useTexts(formTexts);
  const c = useTexts(common);
  const language = useLanguage();
  const [name, setName] = useState(before);
  const [one, setOne] = useState<Aggregate>(aggregate ?? BLANK);
  const set = (part: Partial<Aggregate>): void => {
    setOne({ ...one, ...part });
  };
  const offered = vocabulary.of[one.function];
  const of = Array.isArray(offered) ? (offered as readonly string[]) : [];
  const ratio = one.function === 'ratio';
  const ofEvents = (one.events ?? []).length > 0;
  const text = (
    member: (typeof TEXTS)[number],
    label: string,
    hint?: string,
    choices: readonly string[] = [],
  ): ReactNode => (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(given) => (
        <>
          <input
            {...given}
            className="code"
            list={choices.length > 0 ? `${given.id}-list` : undefined}
            autoComplete="off"
            spellCheck={false}
            value={one[member] ?? ''}
            onChange={(event) => {
              set({ [member]: event.target.value });
            }}
          />
          {choices.length > 0 && (
            <datalist id={`${given.id}-list`}>
              {choices.map((choice) => (
                <option key={choice} value={choice} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        // The form of the rule stands around this one.
        event.stopPropagation();
        if (name === '') return;
        onKeep(name, filled(one));
        onClose();
      }}
    >
      <div className="fields explained">
        <Field label={t.aggregateName} hint={t.aggregateNameHint}>
          {(given) => (
            <input
              {...given}
              className="code"
              autoFocus
              required
              pattern="[a-z][A-Za-z0-9]*"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        <Field label={t.function}>
          {(given) => (
            <select
              {...given}
              value={one.function}
              onChange={(event) => {
                const chosen = vocabulary.functions.find((each) => each === event.target.value);
                if (chosen) set({ function: chosen, of: '' });
              }}
            >
              {vocabulary.functions.map((each) => (
                <option key={each} value={each}>
                  {word('aggregate', each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {(ratio || of.length > 0) && text('of', t.of, ratio ? t.ofHint : undefined, of)}
        {one.function === 'percentile' && (
          <Field label={t.percentile}>
            {(given) => (
              <input
                {...given}
                type="number"
                min={1}
                max={100}
                value={one.percentile ?? ''}
                onChange={(event) => {
                  set({ percentile: Number(event.target.value) });
                }}
              />
            )}
          </Field>
        )}
        {!ratio && (
          <Field
            label={`${t.events} (${c.optional})`}
            hint={`${t.eventsHint} ${vocabulary.events.join(', ')}.`}
          >
            {(given) => (
              <input
                {...given}
                className="code"
                autoComplete="off"
                spellCheck={false}
                value={(one.events ?? []).join(', ')}
                onChange={(event) => {
                  const types = event.target.value.split(',').map((type) => type.trim());
                  set({ events: event.target.value === '' ? [] : types });
                }}
              />
            )}
          </Field>
        )}
        {!ratio && text('by', t.by, t.byHint, vocabulary.keys)}
        {!ratio && text('window', t.window, t.windowHint, ['1h', '24h', 'day', '7d', '30d', '90d', '5bd'])}
        {!ratio && text('offset', `${t.offset} (${c.optional})`, undefined, ['1h', '1d'])}
        {!ratio && !ofEvents && (
          <Field label={t.current}>
            {(given) => (
              <select
                {...given}
                value={one.current === false ? 'no' : 'yes'}
                onChange={(event) => {
                  set({ current: event.target.value === 'yes' });
                }}
              >
                <option value="yes">{t.withCurrent}</option>
                <option value="no">{t.withoutCurrent}</option>
              </select>
            )}
          </Field>
        )}
      </div>
      {!ratio && (
        <div className="stack">
          <span className="label">{`${t.where} (${c.optional})`}</span>
          <ConditionEditor
            label={t.where}
            value={one.where ?? ''}
            readOnly={false}
            suggestions={vocabulary.columns.map(({ name: column, type, label }) => ({
              ...{ name: column, type, label: label[language === 'pt' ? 'pt-BR' : 'en'] },
            }))}
            faults={[]}
            goTo={null}
            onChange={(where) => {
              set({ where });
            }}
          />
          <p className="quiet small">{t.whereHint}</p>
        </div>
      )}
      <div className="row">
        <Button type="submit" look="main" disabled={name === ''}>
          {t.keepAggregate}
        </Button>
        <Button onClick={onClose}>{c.cancel}</Button>
      </div>
    </form>
  );
}
