import type { JSX } from "preact";
import { reportAddress } from "./asked.ts";

/** What is ticked to be compared, in the order of ticking. */
export interface Ticks {
  readonly ids: readonly string[];
  readonly toggle: (id: string) => void;
}

export function Tick({ id, ticks }: { readonly id: string; readonly ticks: Ticks }): JSX.Element {
  return (
    <input
      type="checkbox"
      aria-label={`Compare ${id}`}
      checked={ticks.ids.includes(id)}
      onChange={() => ticks.toggle(id)}
    />
  );
}

/** Opens what is ticked. */
export function CompareTicked({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  return (
    <p class="ticked" role="status">
      {ids.length === 0 ? (
        "Select several to compare them; the first one selected is the baseline."
      ) : (
        <a href={reportAddress(ids)}>{ids.length === 1 ? "Open it" : `Compare ${ids.length}`}</a>
      )}
    </p>
  );
}
