import type { VNode } from 'preact';
import type { Field } from '../api.js';
import { fieldFault, tidied } from '../answers.js';
import { countryCodes } from '../texts/countries.js';
import { fieldFaultText } from '../texts/fault-texts.js';
import { useLanguage, useTexts, type Language } from '../texts/language.js';
import { Labelled } from '../parts/field.js';
import { prefilledHint, StepForm, usePrefilled } from './step-form.js';
import type { StepProps } from './step-props.js';

// The fields that browsers may fill in by themselves (WCAG 2.2, 1.3.5), by the names that flows use for their fields.
const AUTOFILL: Readonly<Record<string, string>> = {
  name: 'name',
  fullName: 'name',
  email: 'email',
  phone: 'tel',
  birthDate: 'bday',
  postalCode: 'postal-code',
  cep: 'postal-code',
  street: 'street-address',
  city: 'address-level2',
  state: 'address-level1',
  country: 'country',
};
const AUTOFILL_OF_TYPE: Readonly<Partial<Record<Field['type'], string>>> = {
  EMAIL: 'email',
  PHONE: 'tel',
  CEP: 'postal-code',
  COUNTRY: 'country',
};
const LONG_TEXT = 250;

export function DataFormStep(props: StepProps): VNode {
  const texts = useTexts();
  const fields = props.step.fields ?? [];
  const today = localDay(new Date());
  usePrefilled(props, fields);
  const faultOf = (field: Field): string | null => {
    const code = fieldFault(field, props.drafts[field.id], today) ?? props.refused[field.id] ?? null;
    return code === null ? null : fieldFaultText(texts, field, code, props.drafts[field.id]);
  };
  const faults = fields.flatMap((field) => {
    const text = faultOf(field);
    return text === null ? [] : [{ at: inputId(field), text: `${field.label}: ${text}` }];
  });
  return (
    <StepForm
      props={props}
      faults={faults}
      initialAttempt={fields.some(({ id }) => props.refused[id] !== undefined) ? 1 : 0}
    >
      {(attempted) =>
        fields.map((field) => {
          const draft = props.drafts[field.id];
          const text = typeof draft === 'string' ? draft : '';
          return (
            <Labelled
              key={field.id}
              id={inputId(field)}
              label={field.label}
              hint={[field.help ?? hintOf(field, texts.hints), prefilledHint(texts, props.step, field)]
                .filter(Boolean)
                .join(' ')}
              // Not as soon as a field is left: what moves down then is the button that is being pressed.
              fault={attempted ? faultOf(field) : null}
              optional={!field.required}
            >
              {(joined) => (
                <Input
                  joined={joined}
                  field={field}
                  text={text}
                  onText={(value) => {
                    props.onDraft(field.id, value === '' ? undefined : value);
                  }}
                  onLeave={() => {
                    const tidy = tidied(field, text);
                    if (tidy !== text) props.onDraft(field.id, tidy);
                  }}
                />
              )}
            </Labelled>
          );
        })
      }
    </StepForm>
  );
}

const inputId = ({ id }: Field): string => `input-${id}`;

function hintOf({ type }: Field, hints: { DATE: string; CPF: string; PHONE: string }): string | null {
  return type === 'DATE' || type === 'CPF' || type === 'PHONE' ? hints[type] : null;
}

export function Input({
  joined,
  field,
  text,
  onText,
  onLeave,
}: {
  readonly joined: object;
  readonly field: Field;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onLeave: () => void;
}): VNode {
  const texts = useTexts();
  const language = useLanguage();
  const shared = {
    ...joined,
    name: field.id,
    value: text,
    'aria-required': field.required,
    autoComplete: AUTOFILL[field.id] ?? AUTOFILL_OF_TYPE[field.type] ?? 'off',
    onBlur: onLeave,
  };
  if (field.type === 'SELECT' || field.type === 'COUNTRY') {
    const options = field.type === 'COUNTRY' ? countryOptions(language) : field.options;
    return (
      <select
        {...shared}
        onChange={(event) => {
          onText(event.currentTarget.value);
        }}
      >
        <option value="">{texts.hints.choose}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const onInput = (event: { readonly currentTarget: { readonly value: string } }): void => {
    onText(event.currentTarget.value);
  };
  const { maxLength } = field.constraints;
  if (field.type === 'TEXT' && maxLength !== null && maxLength > LONG_TEXT) {
    return <textarea {...shared} rows={4} onInput={onInput} />;
  }
  return (
    <input
      {...shared}
      {...keyboardOf(field)}
      type="text"
      class={field.type === 'DATE' || field.type === 'CEP' ? 'short' : ''}
      spellcheck={false}
      onInput={onInput}
    />
  );
}

interface Keyboard {
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel';
  readonly autoCapitalize?: 'none' | 'words' | 'characters';
}

/** The keyboard that a phone shows; never `type="number"`, which loses leading zeros and scrolls away values. */
function keyboardOf({ type, id }: Field): Keyboard {
  switch (type) {
    case 'EMAIL':
      return { inputMode: 'email', autoCapitalize: 'none' };
    case 'PHONE':
      return { inputMode: 'tel' };
    case 'CPF':
    case 'DATE':
    case 'CEP':
      return { inputMode: 'numeric' };
    case 'AMOUNT':
    case 'PERCENT':
      return { inputMode: 'decimal' };
    case 'CNPJ':
      return { autoCapitalize: 'characters' };
    case 'TEXT':
      return /name/i.test(id) ? { autoCapitalize: 'words' } : {};
    case 'COUNTRY':
    case 'SELECT':
      return {};
    default:
      return type satisfies never;
  }
}

/** All countries by their names in a language, Brazil first. */
function countryOptions(language: Language): readonly { value: string; label: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return countryCodes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort(
      (a, b) =>
        Number(b.value === 'BR') - Number(a.value === 'BR') || a.label.localeCompare(b.label, language),
    );
}

export function localDay(now: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
