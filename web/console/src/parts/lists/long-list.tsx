import { useVirtualizer } from '@tanstack/react-virtual';
import { useDensity } from '../../texts/density.js';
import { memo, useEffect, useRef, type ReactElement, type ReactNode } from 'react';

interface LongListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly selected: number;
  readonly onEnd: () => void;
  readonly children: (item: T, index: number, selected: boolean) => ReactNode;
}

interface LineProps<T> {
  readonly item: T;
  readonly index: number;
  readonly selected: boolean;
  readonly draw: LongListProps<T>['children'];
}

// While somebody scrolls, only the lines that come into sight are rendered.
const Line = memo(function Line({ item, index, selected, draw }: LineProps<unknown>): ReactElement {
  return <>{draw(item, index, selected)}</>;
}) as <T>(props: LineProps<T>) => ReactElement;

/** A list of which only what is seen is drawn, however long it is; the selected row stays in sight. */
export function LongList<T>({
  label,
  items,
  rowHeight: comfortable,
  selected,
  onEnd,
  children,
}: LongListProps<T>): ReactElement {
  // Rows of two lines are those of a phone, where a finger has to meet them.
  const rowHeight = useDensity() === 'compact' && comfortable < 60 ? 30 : comfortable;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Otherwise each event of the wheel renders at once, also several between two frames.
    useFlushSync: false,
  });
  const drawn = rows.getVirtualItems();
  const last = drawn.at(-1)?.index ?? -1;

  useEffect(() => {
    if (items.length > 0 && last >= items.length - 20) onEnd();
  });
  useEffect(() => {
    rows.measure();
  }, [rows, rowHeight]);
  useEffect(() => {
    if (selected >= 0 && selected < items.length) rows.scrollToIndex(selected, { align: 'auto' });
    // Only when another row is selected: whoever scrolls on is not drawn back.
  }, [selected]);

  return (
    <div className="long-list" ref={scroller}>
      <ol aria-label={label} style={{ height: rows.getTotalSize() }}>
        {drawn.map(({ index, start, key }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
            >
              <Line item={item} index={index} selected={index === selected} draw={children} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
