import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Column<TItem> {
  readonly head: ComponentChildren;
  /** Its share of the width, as in `grid-template-columns`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Left out on a narrow screen. */
  readonly isExtra?: boolean;
  readonly cell: (item: TItem) => ComponentChildren;
}

const rowHeight = 36;
/** Rows beyond the visible ones, so that the keyboard finds the next one. */
const spare = 8;

/** A table of any length: only the rows in sight are in the document. */
export function Rows<TItem>({
  label,
  items,
  columns,
  current,
}: {
  readonly label: string;
  readonly items: readonly TItem[];
  readonly columns: readonly Column<TItem>[];
  /** The row that is shown elsewhere; it is scrolled to when it changes. */
  readonly current?: TItem | undefined;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(rowHeight * 12);
  const position = current === undefined ? -1 : items.indexOf(current);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    setHeight(element.clientHeight);
    const isInSight =
      position * rowHeight >= element.scrollTop &&
      (position + 2) * rowHeight <= element.scrollTop + element.clientHeight;
    if (position >= 0 && !isInSight) element.scrollTop = (position - 3) * rowHeight;
  }, [position]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + spare);
  const kinds = columns.map(({ isNumber, isExtra }) =>
    [isNumber && "number", isExtra && "extra"].filter(Boolean).join(" "),
  );
  const grid = (isNarrow: boolean): string =>
    columns.flatMap(({ width, isExtra }) => (isNarrow && isExtra ? [] : [width])).join(" ");
  return (
    <div
      class="rows"
      role="table"
      aria-label={label}
      aria-rowcount={items.length + 1}
      style={{ "--columns": grid(false), "--narrow-columns": grid(true) }}
    >
      <div role="rowgroup">
        <div class="row head" role="row" aria-rowindex={1}>
          {columns.map(({ head }, column) => (
            <div key={column} role="columnheader" class={kinds[column]}>
              {head}
            </div>
          ))}
        </div>
      </div>
      <div
        class="scrolled"
        role="rowgroup"
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        <div role="presentation" style={{ height: `${first * rowHeight}px` }} />
        {items.slice(first, last).map((item, offset) => (
          <div
            key={first + offset}
            class={`row ${item === current ? "current" : ""}`}
            role="row"
            aria-rowindex={first + offset + 2}
            aria-current={item === current ? "true" : undefined}
          >
            {columns.map(({ cell }, column) => (
              <div key={column} role="cell" class={kinds[column]}>
                {cell(item)}
              </div>
            ))}
          </div>
        ))}
        <div role="presentation" style={{ height: `${(items.length - last) * rowHeight}px` }} />
      </div>
    </div>
  );
}
