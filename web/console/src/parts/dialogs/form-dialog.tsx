import { useState, type ReactElement, type ReactNode } from 'react';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { Failure } from '../answers.js';
import { Button, Field } from '../controls.js';
import { Dialog } from './dialog.js';

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
        readonly kind: 'text' | 'email' | 'number' | 'date' | 'long' | 'code' | 'password';
        readonly initial?: string;
        readonly minimum?: number;
        /** Says what is wrong with a text; null where nothing is. */
        readonly faultOf?: (text: string) => string | null;
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

type Value = string | readonly string[] | File | null;

/** Holds the values that were filled in, by the names of their fields. */
export class Filled {
  constructor(private readonly values: Readonly<Record<string, Value>>) {}

  text(name: string): string {
    const value = this.values[name];
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The field as a member of a body, left out when it is empty. */
  given<K extends string>(name: K): Partial<Record<K, string>> {
    const text = this.text(name);
    return text === '' ? {} : ({ [name]: text } as Record<K, string>);
  }

  /** The lines as they were typed, empty ones too: a line stands for the one at its place in another field. */
  lines(name: string): readonly string[] {
    const value = this.values[name];
    return typeof value === 'string' ? value.split('\n').map((line) => line.trim()) : [];
  }

  number<K extends string>(name: K): Partial<Record<K, number>> {
    const text = this.text(name);
    return text === '' ? {} : ({ [name]: Number(text.replace(',', '.')) } as Record<K, number>);
  }

  many(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  file(name: string): File | null {
    const value = this.values[name];
    return value instanceof File ? value : null;
  }
}

const initialOf = (field: FormField): Value => {
  if (field.kind === 'file') return null;
  if (field.kind === 'choices') return field.initial ?? [];
  if (field.kind === 'choice') {
    return field.initial ?? (field.optional === true ? '' : (field.options[0]?.[0] ?? ''));
  }
  return field.initial ?? '';
};

const faultOf = (field: FormField, value: Value): string | null =>
  'faultOf' in field && typeof value === 'string' ? field.faultOf(value.trim()) : null;

const isFilled = (field: FormField, value: Value): boolean => {
  if (faultOf(field, value) !== null) return false;
  if (field.optional === true) return true;
  if (typeof value !== 'string') return Array.isArray(value) ? value.length > 0 : value !== null;
  const minimum = 'minimum' in field ? (field.minimum ?? 1) : 1;
  return value.trim().length >= minimum;
};

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  /** Fields stand side by side, where all of them may stay empty: nothing says so of each. */
  readonly sideBySide?: boolean;
  readonly fields: readonly FormField[];
  readonly children?: ReactNode;
  readonly onSend: (filled: Filled) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for some values and sends them; stays open with what went wrong. */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { title, action, danger, wide, sideBySide, fields, children, onSend, onClose } = props;
  const c = useTexts(common);
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, initialOf(field)])),
  );
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const enough = fields.every((field) => isFilled(field, values[field.name] ?? null));
  const send = (): void => {
    if (!enough || busy) return;
    setBusy(true);
    setFailure(null);
    onSend(new Filled(values)).then(onClose, (error: unknown) => {
      setFailure(error);
      setBusy(false);
    });
  };
  return (
    <Dialog title={title} onClose={onClose} {...(wide !== undefined && { wide })}>
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
                setValues((before) => ({ ...before, [field.name]: value }));
              }}
            />
          ))}
        </div>
        <div className="row">
          <Button
            type="submit"
            look={danger === true ? 'danger' : 'main'}
            keys="Ctrl Enter"
            disabled={!enough || busy}
          >
            {action}
          </Button>
          <Button onClick={onClose}>{c.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

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
  const least = 'minimum' in field ? (field.minimum ?? 1) : 1;
  const hint = field.hint ?? (least > 1 ? c.atLeast(least, text.trim().length) : undefined);
  return (
    <Field label={label} fault={faultOf(field, value)} {...(hint !== undefined && { hint })}>
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
            type={field.kind === 'number' ? 'text' : field.kind}
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
