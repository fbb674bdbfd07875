import type { ReactElement } from 'react';
import { useColleagues } from '../../data/people.js';
import { useSaveView } from '../../data/views.js';
import type { Filled } from '../../parts/dialogs/filled.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { say } from '../../parts/toasts.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { filterTexts } from './filter-texts.js';
import { shownDay, type Filter } from './filter.js';

const CHOICES = {
  theme: [
    ...['SCREENING', 'STRUCTURING', 'ACCOUNT_TAKEOVER', 'FRAUD', 'GEOGRAPHY', 'CUSTOMER', 'IDENTITY'],
    ...['DATA_GAP', 'OTHER'],
  ],
  kind: ['SCORE', 'HIT', 'DATA_GAP', 'SESSION', 'MANUAL'],
  priority: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'],
  status: ['OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL', 'CLOSED', 'MERGED'],
} as const;

/** The names of their values in texts/words-*.ts. */
export const WORDS = {
  theme: 'theme',
  kind: 'caseKind',
  priority: 'priority',
  status: 'caseStatus',
} as const;

export function FilterDialog({
  filter,
  text,
  onFilter,
  onClose,
}: {
  filter: Filter;
  text: string;
  onFilter: (filter: Filter, text: string) => void;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(filterTexts);
  const colleagues = useColleagues();
  const label = (name: string): string => t.names[name] ?? name;
  const choice = (name: string, options: readonly (readonly [string, string])[]): FormField => ({
    ...{ name, label: label(name), kind: 'choice', options, optional: true },
    initial: filter[name] ?? '',
  });
  const input = (name: string, kind: 'text' | 'number' | 'date'): FormField => ({
    ...{ name, label: label(name), kind, optional: true },
    initial: kind === 'date' ? shownDay(name, filter[name] ?? '') : (filter[name] ?? ''),
  });
  const send = (filled: Filled): void => {
    const kept = ['overdue', 'queue', 'sort'].flatMap((name) => {
      const value = filter[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    onFilter(
      {
        ...Object.fromEntries(kept),
        ...Object.fromEntries(TYPED.flatMap((name) => Object.entries(filled.given(name)))),
        ...Object.fromEntries(NUMBERS.flatMap((name) => Object.entries(filled.decimal(name)))),
        ...filled.span('openedFrom', 'openedTo'),
      },
      filled.text('text'),
    );
  };
  return (
    <FormDialog
      title={t.filter}
      about={null}
      action={t.show}
      wide
      sideBySide
      fields={[
        { name: 'text', label: label('text'), kind: 'text', optional: true, initial: text },
        ...Object.entries(CHOICES).map(([name, values]) =>
          choice(
            name,
            values.map((one) => [one, word(WORDS[name as keyof typeof WORDS], one)] as const),
          ),
        ),
        choice('assignee', [
          ['me', t.me],
          ['none', t.nobody],
          ...colleagues
            .filter(({ worksOnCases }) => worksOnCases)
            .map(({ id, displayName }) => [id, displayName] as const),
        ]),
        input('rule', 'text'),
        input('country', 'text'),
        input('amountFrom', 'number'),
        input('amountTo', 'number'),
        input('scoreFrom', 'number'),
        input('scoreTo', 'number'),
        input('openedFrom', 'date'),
        input('openedTo', 'date'),
      ]}
      onSend={(filled) => {
        send(filled);
        return Promise.resolve();
      }}
      onClose={onClose}
    />
  );
}

const TYPED = ['theme', 'kind', 'priority', 'status', 'assignee', 'rule', 'country'] as const;
const NUMBERS = ['amountFrom', 'amountTo', 'scoreFrom', 'scoreTo'] as const;

export function SaveDialog({ query, onClose }: { query: string; onClose: () => void }): ReactElement {
  const t = useTexts(filterTexts);
  const save = useSaveView();
  return (
    <FormDialog
      title={t.save}
      action={t.save}
      fields={[
        { name: 'name', label: t.name, kind: 'text' },
        {
          name: 'shared',
          label: t.whose,
          kind: 'choice',
          options: [
            ['mine', t.onlyMe],
            ['shared', t.everybody],
          ],
        },
      ]}
      onSend={(filled) =>
        save
          .mutateAsync({ name: filled.text('name'), query, shared: filled.text('shared') === 'shared' })
          .then(() => {
            say(t.saved);
          })
      }
      onClose={onClose}
    />
  );
}
