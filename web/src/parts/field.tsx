import type { ComponentChildren, VNode } from 'preact';
import { useTexts } from '../texts/language.js';

/** Attributes that join an input to its label, its hint and its fault. */
interface Joined {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: 'true';
}

/** A label, a hint, a fault and the input between them. */
export function Labelled({
  id,
  label,
  hint,
  fault,
  optional,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | null | undefined;
  readonly fault?: string | null | undefined;
  readonly optional: boolean;
  readonly children: (joined: Joined) => ComponentChildren;
}): VNode {
  const texts = useTexts();
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> ({texts.optional})</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && <FaultText id={`${id}-fault`} text={fault} />}
      {children({ id, ...described(id, hint, fault) })}
    </div>
  );
}

/** A question with several inputs: its text is the legend of all of them. */
export function Group({
  id,
  legend,
  hint,
  fault,
  optional,
  children,
}: {
  readonly id: string;
  readonly legend: string;
  readonly hint?: string | null | undefined;
  readonly fault?: string | null | undefined;
  readonly optional: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const texts = useTexts();
  const { 'aria-describedby': describedBy } = described(id, hint, fault);
  return (
    <fieldset
      class={fault ? 'field faulty' : 'field'}
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
    >
      <legend>
        {legend}
        {optional && <span class="optional"> ({texts.optional})</span>}
      </legend>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && <FaultText id={`${id}-fault`} text={fault} />}
      {children}
    </fieldset>
  );
}

/** One choice of a group, or a box on its own; the whole line can be pressed. */
export function Choice({
  id,
  type,
  name,
  label,
  checked,
  faultId,
  onChange,
}: {
  readonly id: string;
  readonly type: 'radio' | 'checkbox';
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
  readonly faultId?: string | undefined;
  readonly onChange: (checked: boolean) => void;
}): VNode {
  return (
    <label class="choice" for={id}>
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        {...(faultId === undefined ? {} : { 'aria-describedby': faultId, 'aria-invalid': 'true' as const })}
        onChange={(event) => {
          onChange(event.currentTarget.checked);
        }}
      />
      <span>{label}</span>
    </label>
  );
}

export function FaultText({ id, text }: { readonly id: string; readonly text: string }): VNode {
  return (
    <p class="fault" id={id}>
      {text}
    </p>
  );
}

function described(
  id: string,
  hint: string | null | undefined,
  fault: string | null | undefined,
): Omit<Joined, 'id'> {
  const ids = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return {
    ...(ids === '' ? {} : { 'aria-describedby': ids }),
    ...(fault ? { 'aria-invalid': 'true' as const } : {}),
  };
}
