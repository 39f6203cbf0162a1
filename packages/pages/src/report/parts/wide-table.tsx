import type { ComponentChildren, JSX } from "preact";

/** A table that can be scrolled sideways, by keys too, where the window is narrow. */
export function WideTable({
  label,
  columns,
  children,
}: {
  readonly label: string;
  /** Their heads; that of a tick box is empty. */
  readonly columns: readonly (string | { readonly number: string })[];
  /** Its rows. */
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>{columns.map(head)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function head(column: string | { readonly number: string }, position: number): JSX.Element {
  if (column === "") return <td key={position} class="tick-box" />;
  const name = typeof column === "string" ? column : column.number;
  return (
    <th key={position} scope="col" class={name === column ? undefined : "number"}>
      {name}
    </th>
  );
}
