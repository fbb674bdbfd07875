import type { ReactElement } from 'react';
import { number } from '../texts/formats.js';

interface Bar {
  readonly label: string;
  readonly value: number;
}

/** Bars over time, with the same as a table for those who cannot see or want the numbers. */
export function Bars({
  bars,
  title,
  asTable,
  columns,
  format = number,
}: {
  bars: readonly Bar[];
  title: string;
  asTable: string;
  columns: readonly [string, string];
  format?: (value: number) => string;
}): ReactElement {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  // A few bars are not stretched over the whole width.
  const width = 100 / Math.max(14, bars.length);
  return (
    <figure className="stack">
      <svg className="bars" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={title}>
        <line x1="0" x2="100" y1="40" y2="40" vectorEffect="non-scaling-stroke" />
        {bars.map(({ label, value }, at) => {
          const height = (value / highest) * 38;
          return (
            <rect
              key={label}
              x={at * width + width * 0.12}
              width={width * 0.76}
              y={40 - height}
              height={height}
            >
              <title>
                {label}: {format(value)}
              </title>
            </rect>
          );
        })}
      </svg>
      <details>
        <summary className="small">{asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" className="number">
                {columns[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <td>{label}</td>
                <td className="number">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
