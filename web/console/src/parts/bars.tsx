import type { ReactElement } from 'react';
import { number } from '../texts/formats.js';

interface Bar {
  readonly label: string;
  readonly value: number;
  /** Shares of the value, drawn from the bottom; as many as `parts` names. */
  readonly parts?: readonly number[];
}

/** Bars over time, with the same as a table for those who cannot see or want the numbers. */
export function Bars({
  bars,
  title,
  asTable,
  columns,
  parts = [],
  format = number,
}: {
  bars: readonly Bar[];
  /** Names of the parts of each bar, two at most. */
  parts?: readonly string[];
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
        {bars.map(({ label, value, parts: own = [] }, at) => {
          const height = (one: number): number => (one / highest) * 38;
          const place = { x: at * width + width * 0.12, width: width * 0.76 };
          return (
            <g key={label}>
              <rect {...place} y={40 - height(value)} height={height(value)} />
              {own.map((one, part) => {
                const below = own.slice(0, part).reduce((sum, other) => sum + other, 0);
                return (
                  <rect
                    key={part}
                    {...place}
                    className={`part-${part}`}
                    y={40 - height(below + one)}
                    height={height(one)}
                  />
                );
              })}
              <title>
                {[
                  `${label}: ${format(value)}`,
                  ...own.map((one, part) => `${parts[part]} ${format(one)}`),
                ].join(' · ')}
              </title>
            </g>
          );
        })}
      </svg>
      {parts.length > 0 && (
        <figcaption className="row small">
          <span className="legend">{columns[1]}</span>
          {parts.map((name, part) => (
            <span key={name} className={`legend part-${part}`}>
              {name}
            </span>
          ))}
        </figcaption>
      )}
      <details>
        <summary className="small">{asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" className="number">
                {columns[1]}
              </th>
              {parts.map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value, parts: own = [] }) => (
              <tr key={label}>
                <td>{label}</td>
                <td className="number">{format(value)}</td>
                {own.map((one, part) => (
                  <td key={part} className="number">
                    {format(one)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
