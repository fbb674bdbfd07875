import type { ReactElement } from 'react';
import { Button } from '../controls.js';

interface TabsProps<T extends string> {
  readonly label: string;
  readonly values: readonly T[];
  readonly value: T;
  readonly names: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

/** Buttons of which one is pressed: which part of a list is shown. */
export const Tabs = <T extends string>({
  label,
  values,
  value,
  names,
  onChange,
}: TabsProps<T>): ReactElement => (
  <div className="tabs" role="group" aria-label={label}>
    {values.map((one) => (
      <Button
        key={one}
        aria-pressed={one === value}
        onClick={() => {
          onChange(one);
        }}
      >
        {names[one]}
      </Button>
    ))}
  </div>
);
