import type { ReactElement } from 'react';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import type { Field } from './data.js';
import { customFieldTexts } from './texts.js';

type Type = Field['type'];
type Mismatch = NonNullable<Field['onMismatch']>;
type History = NonNullable<Field['history']>;
const TYPES: readonly Type[] = ['string', 'number', 'decimal', 'boolean', 'instant', 'code'];
const MISMATCHES: readonly Mismatch[] = ['WARN', 'REFUSE', 'IGNORE'];
const HISTORIES: readonly History[] = ['NONE', 'VALUE', 'KEY'];

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** One field of the proposal. */
export function FieldDialog({
  field,
  onKeep,
  onClose,
}: {
  field: Field | null;
  onKeep: (field: Field) => void;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(customFieldTexts);
  const named = <T extends string>(group: string, values: readonly T[]) =>
    values.map((one) => [one, word(group, one)] as const);
  return (
    <FormDialog
      title={field === null ? t.add : `${t.change}: ${field.name}`}
      action={t.keep}
      wide
      fields={[
        { name: 'name', label: t.name, kind: 'text', hint: t.nameHint, initial: field?.name ?? '' },
        {
          name: 'path',
          label: t.path,
          kind: 'text',
          hint: t.pathHint,
          optional: true,
          initial: field?.path ?? '',
        },
        {
          name: 'type',
          label: t.type,
          kind: 'choice',
          options: named('customFieldType', TYPES),
          initial: field?.type ?? 'string',
        },
        {
          name: 'codes',
          label: t.codes,
          kind: 'code',
          optional: true,
          initial: field?.codes?.join('\n') ?? '',
        },
        {
          name: 'types',
          label: t.types,
          kind: 'text',
          hint: t.typesHint,
          initial: field?.types?.join(' ') ?? '*',
        },
        {
          name: 'onMismatch',
          label: t.mismatch,
          kind: 'choice',
          options: named('customFieldMismatch', MISMATCHES),
          initial: field?.onMismatch ?? 'WARN',
        },
        {
          name: 'history',
          label: t.history,
          kind: 'choice',
          options: named('customFieldHistory', HISTORIES),
          initial: field?.history ?? 'NONE',
        },
        {
          name: 'marks',
          label: t.marks,
          kind: 'choices',
          optional: true,
          options: [
            ['personal', t.personal],
            ['required', t.required],
          ],
          initial: [
            ...(field?.personal === true ? ['personal'] : []),
            ...(field?.required === true ? ['required'] : []),
          ],
        },
        { name: 'labelPt', label: t.labelPt, kind: 'text', initial: field?.label?.['pt-BR'] ?? '' },
        { name: 'labelEn', label: t.labelEn, kind: 'text', initial: field?.label?.en ?? '' },
      ]}
      onSend={(filled) => {
        const codes = words(filled.text('codes'));
        const type = TYPES.find((one) => one === filled.text('type')) ?? 'string';
        onKeep({
          name: filled.text('name'),
          path: filled.text('path') === '' ? filled.text('name') : filled.text('path'),
          type,
          ...(type === 'code' && { codes }),
          types: words(filled.text('types')),
          personal: filled.many('marks').includes('personal'),
          required: filled.many('marks').includes('required'),
          onMismatch: MISMATCHES.find((one) => one === filled.text('onMismatch')) ?? 'WARN',
          history: HISTORIES.find((one) => one === filled.text('history')) ?? 'NONE',
          label: { 'pt-BR': filled.text('labelPt'), en: filled.text('labelEn') },
        });
        return Promise.resolve();
      }}
      onClose={onClose}
    />
  );
}
