import { useState, type ReactElement, type ReactNode } from 'react';
import { useTyped } from '../../data/calls/typed.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { exact } from '../../texts/formats.js';
import { readNumber } from '../../texts/numbers.js';
import { Failure } from '../answers.js';
import { Button, Field } from '../controls.js';
import { Dialog } from './dialog.js';
import { Filled, type Value, type Values } from './filled.js';
import { typedKey, Restored, useClose, useSend } from './kept.js';

interface Common {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** May stay empty. */
  readonly optional?: boolean;
}

export type FormField = Common &
  (
    | {
        readonly kind: 'text' | 'email' | 'number' | 'date' | 'moment' | 'long' | 'code' | 'password';
        readonly initial?: string;
        readonly minimum?: number;
      }
    | {
        readonly kind: 'choice';
        readonly options: readonly (readonly [value: string, name: string])[];
        readonly initial?: string;
      }
    | {
        readonly kind: 'choices';
        readonly options: readonly (readonly [value: string, name: string])[];
        readonly initial?: readonly string[];
      }
    | { readonly kind: 'file'; readonly accept?: string }
  );

const initialOf = (field: FormField): Value => {
  if (field.kind === 'file') return null;
  if (field.kind === 'choices') return field.initial ?? [];
  if (field.kind === 'choice') {
    return field.initial ?? (field.optional === true ? '' : (field.options[0]?.[0] ?? ''));
  }
  return field.initial ?? '';
};

function faultOf(field: FormField, value: Value, c: (typeof common)['en']): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (field.kind !== 'number' || text === '') return null;
  const { decimal, isAmbiguous } = readNumber(text);
  return isAmbiguous ? c.twoNumbers(text) : decimal === null ? c.noNumber : null;
}

const isFilled = (field: FormField, value: Value, c: (typeof common)['en']): boolean => {
  if (faultOf(field, value, c) !== null) return false;
  if (field.optional === true) return true;
  if (typeof value !== 'string') return Array.isArray(value) ? value.length > 0 : value !== null;
  const minimum = 'minimum' in field ? (field.minimum ?? 1) : 1;
  return value.trim().length >= minimum;
};

/** A file cannot be kept, and a secret must not be. */
const isKept = ({ kind }: FormField): boolean => kind !== 'file' && kind !== 'password';

const initialValues = (fields: readonly FormField[], kept: boolean): Values =>
  Object.fromEntries(
    fields.filter((field) => isKept(field) === kept).map((field) => [field.name, initialOf(field)]),
  );

/** Returns what a field says below itself: its hint, how many letters are missing, or how its number was understood. */
function hintOf(field: FormField, text: string, c: (typeof common)['en']): string | undefined {
  const least = 'minimum' in field ? (field.minimum ?? 1) : 1;
  const { decimal } = field.kind === 'number' ? readNumber(text) : { decimal: null };
  const echo = decimal === null || decimal === text.trim() ? undefined : `= ${exact(decimal)}`;
  return echo ?? field.hint ?? (least > 1 ? c.atLeast(least, text.trim().length) : undefined);
}

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  /** Fields stand side by side, where all of them may stay empty: nothing says so of each. */
  readonly sideBySide?: boolean;
  readonly fields: readonly FormField[];
  /** The object of the dialog, where its page shows several; null where nothing that is typed may be kept. */
  readonly about?: string | null;
  readonly children?: ReactNode;
  readonly onSend: (filled: Filled) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for some values and sends them; stays open with what went wrong. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, action, danger, wide, sideBySide, fields, about, children, onSend, onClose } = props;
  const c = useTexts(common);
  const key = typedKey(title, about);
  const typed = useTyped<Values>(key, initialValues(fields, true));
  const [others, setOthers] = useState<Values>(() => initialValues(fields, false));
  const values = { ...initialValues(fields, true), ...typed.value, ...others };
  const { isBusy, failure, send: run } = useSend(typed, onClose);
  const enough = fields.every((field) => isFilled(field, values[field.name] ?? null, c));
  const close = useClose(typed, key !== null, onClose);
  const send = (): void => {
    if (enough) run(() => onSend(new Filled(values)));
  };
  return (
    <Dialog title={title} onClose={close} stays={typed.isDirty} {...(wide !== undefined && { wide })}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      >
        {children}
        <Restored typed={typed} />
        {failure !== null && <Failure error={failure} />}
        <div className={sideBySide === true ? 'fields side-by-side' : 'fields'}>
          {fields.map((field, at) => (
            <Input
              key={field.name}
              field={field}
              plain={sideBySide === true}
              first={at === 0}
              value={values[field.name] ?? null}
              onChange={(value) => {
                if (isKept(field)) typed.set({ ...typed.value, [field.name]: value });
                else setOthers({ ...others, [field.name]: value });
              }}
            />
          ))}
        </div>
        <div className="row">
          <Button
            type="submit"
            look={danger === true ? 'danger' : 'main'}
            keys="Ctrl Enter"
            disabled={!enough || isBusy}
          >
            {action}
          </Button>
          <Button onClick={close}>{c.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

const INPUT_TYPES: Readonly<Record<string, string>> = { number: 'text', moment: 'datetime-local' };

function Input({
  field,
  value,
  plain,
  first,
  onChange,
}: {
  field: FormField;
  plain: boolean;
  value: Value;
  first: boolean;
  onChange: (value: Value) => void;
}): ReactElement {
  const c = useTexts(common);
  const label = field.optional === true && !plain ? `${field.label} (${c.optional})` : field.label;
  const text = typeof value === 'string' ? value : '';
  if (field.kind === 'choices') {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
    return (
      <fieldset className="checks">
        <legend>{label}</legend>
        {field.options.map(([one, name]) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={(event) => {
                onChange(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one));
              }}
            />{' '}
            {name}
          </label>
        ))}
        {field.hint !== undefined && <p className="quiet small">{field.hint}</p>}
      </fieldset>
    );
  }
  const hint = hintOf(field, text, c);
  return (
    <Field label={label} fault={faultOf(field, value, c)} {...(hint !== undefined && { hint })}>
      {(given) => {
        const onText = (event: { target: { value: string } }): void => {
          onChange(event.target.value);
        };
        if (field.kind === 'file') {
          return (
            <input
              {...given}
              type="file"
              {...(field.accept !== undefined && { accept: field.accept })}
              onChange={(event) => {
                onChange(event.target.files?.[0] ?? null);
              }}
            />
          );
        }
        if (field.kind === 'choice') {
          return (
            <select {...given} autoFocus={first} value={text} onChange={onText}>
              {field.optional === true && <option value="">—</option>}
              {field.options.map(([one, name]) => (
                <option key={one} value={one}>
                  {name}
                </option>
              ))}
            </select>
          );
        }
        if (field.kind === 'long' || field.kind === 'code') {
          return (
            <textarea
              {...given}
              className={field.kind === 'code' ? 'code' : undefined}
              spellCheck={field.kind !== 'code'}
              autoFocus={first}
              value={text}
              onChange={onText}
            />
          );
        }
        return (
          <input
            {...given}
            type={INPUT_TYPES[field.kind] ?? field.kind}
            {...(field.kind === 'number' && { inputMode: 'decimal' as const })}
            autoComplete={field.kind === 'password' ? 'current-password' : 'off'}
            autoFocus={first}
            value={text}
            onChange={onText}
          />
        );
      }}
    </Field>
  );
}
