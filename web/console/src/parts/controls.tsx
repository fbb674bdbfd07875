import { useId, type ButtonHTMLAttributes, type ReactElement, type ReactNode } from 'react';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'main' | 'danger' | 'bare';
  /** The key that does the same; shown, not bound. */
  readonly keys?: string;
}

export const Button = ({ look, keys, className, children, ...rest }: ButtonProps): ReactElement => (
  <button
    type="button"
    {...rest}
    className={['button', look, className].filter(Boolean).join(' ')}
    {...(keys !== undefined && { 'aria-keyshortcuts': keys.replace('Ctrl ', 'Control+') })}
  >
    {children}
    {keys !== undefined && <kbd aria-hidden="true">{keys}</kbd>}
  </button>
);

export const Pill = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }): ReactElement => (
  <span className={tone === 'plain' ? 'pill' : `pill ${tone}`}>{children}</span>
);

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
  readonly children: (given: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
    readonly 'aria-invalid'?: true;
  }) => ReactNode;
}

/** A label, its input, a hint below, and what is wrong with it. */
export function Field({ label, hint, fault, children }: FieldProps): ReactElement {
  const id = useId();
  const wrong = fault !== undefined && fault !== null;
  const described = hint !== undefined || wrong;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': `${id}-more` }),
        ...(wrong && { 'aria-invalid': true }),
      })}
      {described && (
        <div id={`${id}-more`} className="small">
          {wrong && <p className="fault">{fault}</p>}
          {hint !== undefined && <div className="quiet">{hint}</div>}
        </div>
      )}
    </div>
  );
}

/** One of a few values, under a label. */
export const Choice = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [value: T, name: string])[];
  onChange: (value: T) => void;
}): ReactElement => (
  <Field label={label}>
    {(given) => (
      <select
        {...given}
        value={value}
        onChange={(event) => {
          onChange(event.target.value as T);
        }}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** Names and values; what is not known is shown as such by the caller, never left out. */
export const Facts = ({
  items,
  stacked = false,
}: {
  items: readonly (readonly [string, ReactNode])[];
  /** Long names stand above what they name. */
  stacked?: boolean;
}): ReactElement => (
  <dl className={stacked ? 'facts stacked' : 'facts'}>
    {items.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
