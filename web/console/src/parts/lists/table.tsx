import type { Key, ReactElement, ReactNode } from 'react';
import type { Pages } from '../../data/calls/paging.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { Empty, Failure, Skeleton } from '../answers.js';
import { Button } from '../controls.js';

interface TableProps<T> {
  readonly caption: string;
  readonly pages: Pick<Pages<T>, 'items' | 'error' | 'refetch'> & Partial<Pages<T>>;
  readonly columns: readonly (readonly [
    name: string,
    cell: (row: T) => ReactNode,
    look?: 'number' | 'quiet',
  ])[];
  readonly keyOf: (row: T) => Key;
  /** Title and text for a table without rows: it says what would bring some. */
  readonly empty: readonly [string, string];
}

/** A list of the service as a table, page by page, with its skeleton, its failure and its emptiness. */
export function Table<T>({ caption, pages, columns, keyOf, empty }: TableProps<T>): ReactElement {
  const c = useTexts(common);
  const { items, error } = pages;
  return (
    <div className="stack">
      {error && <Failure error={error} retry={() => void pages.refetch()} />}
      {!items && !error && <Skeleton />}
      {items?.length === 0 && <Empty title={empty[0]}>{empty[1]}</Empty>}
      {items && items.length > 0 && (
        <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
          <table>
            <caption className="hidden">{caption}</caption>
            <thead>
              <tr>
                {columns.map(([name, , look], at) =>
                  name === '' ? (
                    <td key={at} />
                  ) : (
                    <th key={at} scope="col" className={look === 'number' ? 'number' : undefined}>
                      {name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {items.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(([, cell, look], at) => (
                    <td key={at} className={look}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasMore === true && (
        <div>
          <Button disabled={pages.loadingMore === true} onClick={pages.more}>
            {c.more}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A query that answers with all rows at once, as a table takes it. */
export const allOf = <T,>(query: {
  readonly data: readonly T[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}): Pick<Pages<T>, 'items' | 'error' | 'refetch'> => ({
  items: query.data,
  error: query.error,
  refetch: query.refetch,
});
