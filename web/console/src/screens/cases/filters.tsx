import { useState, type ReactElement } from 'react';
import type { CaseView } from '../../data/cases.js';
import { useColleagues } from '../../data/people.js';
import { useRemoveView, useSavedViews, type SavedView } from '../../data/views.js';
import { useComplain } from '../../parts/complain.js';
import { Button } from '../../parts/controls.js';
import { useShortcuts } from '../../parts/shortcuts.js';
import { say } from '../../parts/toasts.js';
import { without } from '../../parts/without.js';
import { date, number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { filterTexts } from './filter-texts.js';
import { queryOf, readFilter, shownDay, textOf, type Filter } from './filter.js';
import { WORDS, FilterDialog, SaveDialog } from './filter-dialog.js';

const SORTS = ['URGENCY', 'CLOCK', 'NEWEST', 'OLDEST', 'AMOUNT', 'POINTS'] as const;

interface FiltersProps {
  readonly view: CaseView;
  readonly filter: Filter;
  /** Part of a title or a reason: it may name somebody, so it stands in no address and in no saved view. */
  readonly text: string;
  readonly onFilter: (filter: Filter, text: string, view: CaseView) => void;
}

/** Narrows and sorts the queue, and keeps such filters. */
export function Filters({ view, filter, text, onFilter }: FiltersProps): ReactElement {
  const t = useTexts(filterTexts);
  const [asking, ask] = useState<'FILTER' | 'SAVE' | null>(null);
  const set = (next: Filter): void => {
    onFilter(next, text, view);
  };
  const open = (): void => {
    ask('FILTER');
  };
  useShortcuts([{ keys: 'F', label: t.filter, footer: true, run: open }]);
  const close = (): void => {
    ask(null);
  };
  return (
    <div className="row filters">
      <Button keys="F" onClick={open}>
        {t.filter}
      </Button>
      <select
        className="input slim"
        aria-label={t.sort}
        value={filter['sort'] ?? 'URGENCY'}
        onChange={({ target: { value } }) => {
          const rest = without(filter, 'sort');
          set(value === 'URGENCY' ? rest : { ...rest, sort: value });
        }}
      >
        {SORTS.map((one) => (
          <option key={one} value={one}>
            {t.sorts[one]}
          </option>
        ))}
      </select>
      <Saved
        view={view}
        filter={filter}
        onChoose={(next) => {
          onFilter(next, '', 'open');
        }}
        onSave={() => {
          ask('SAVE');
        }}
      />
      <Chosen
        filter={filter}
        text={text}
        onRemove={(key) => {
          if (key === 'text') onFilter(filter, '', view);
          else set(without(filter, key));
        }}
      />
      {asking === 'FILTER' && (
        <FilterDialog
          filter={filter}
          text={text}
          onFilter={(next, part) => {
            onFilter(next, part, view);
          }}
          onClose={close}
        />
      )}
      {asking === 'SAVE' && <SaveDialog query={textOf(queryOf(view, filter))} onClose={close} />}
    </div>
  );
}

/** The views that were kept: one is chosen, the present one is kept or removed. */
function Saved({
  view,
  filter,
  onChoose,
  onSave,
}: Pick<FiltersProps, 'view' | 'filter'> & {
  readonly onChoose: (filter: Filter) => void;
  readonly onSave: () => void;
}): ReactElement {
  const t = useTexts(filterTexts);
  const views = useSavedViews();
  const remove = useRemoveView();
  const complain = useComplain();
  const now = textOf(queryOf(view, filter));
  const all = (views.data ?? []).map((one) => ({ ...one, filter: filterIn(one) }));
  const present = all.find((one) => textOf(one.filter) === now);
  return (
    <>
      {all.length > 0 && (
        <select
          className="input slim"
          aria-label={t.views}
          value={present?.id ?? ''}
          onChange={({ target: { value } }) => {
            onChoose(all.find(({ id }) => id === value)?.filter ?? {});
          }}
        >
          <option value="">{t.views}</option>
          {all.map(({ id, name, mine, ownerName }) => (
            <option key={id} value={id}>
              {mine ? name : t.of(name, ownerName ?? t.gone)}
            </option>
          ))}
        </select>
      )}
      {!present && Object.keys(filter).length > 0 && (
        <Button look="bare" onClick={onSave}>
          {t.save}
        </Button>
      )}
      {present?.mine === true && (
        <Button
          look="bare"
          onClick={() => {
            remove.mutate(present.id, {
              onSuccess: () => {
                say(t.removed);
              },
              onError: complain,
            });
          }}
        >
          {t.remove}
        </Button>
      )}
    </>
  );
}

const filterIn = ({ query }: SavedView): Filter => readFilter(Object.fromEntries(new URLSearchParams(query)));

/** Each part of the filter as a button that takes it away. */
function Chosen({
  filter,
  text,
  onRemove,
}: Pick<FiltersProps, 'filter' | 'text'> & { readonly onRemove: (key: string) => void }): ReactElement {
  const t = useTexts(filterTexts);
  const colleagues = useColleagues();
  const valueOf = (key: string, value: string): string => {
    if (key in WORDS) return word(WORDS[key as keyof typeof WORDS], value);
    if (key === 'assignee') {
      return (
        { me: t.me, none: t.nobody }[value] ??
        colleagues.find(({ id }) => id === value)?.displayName ??
        t.gone
      );
    }
    const day = shownDay(key, value);
    if (day !== '') return date(day);
    return /^\d+$/.test(value) ? number(Number(value)) : value;
  };
  const parts = Object.entries(text === '' ? filter : { ...filter, text }).filter(([key]) => key !== 'sort');
  return (
    <>
      {parts.map(([key, value]) => {
        const name = key === 'overdue' ? t.names.overdue : `${t.names[key] ?? key}: ${valueOf(key, value)}`;
        return (
          <Button
            key={key}
            className="chip"
            aria-label={t.without(name)}
            onClick={() => {
              onRemove(key);
            }}
          >
            {name} <span aria-hidden="true">×</span>
          </Button>
        );
      })}
    </>
  );
}
