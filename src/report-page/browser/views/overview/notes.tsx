import type { JSX } from "preact";
import type { RunComparison } from "../../../../report/index.ts";
import { capitalized } from "../../data/capitalized.ts";

/** What a reader must know before trusting the figures. */
export function Notes({ comparison }: { readonly comparison: RunComparison }): JSX.Element | null {
  const { notes } = comparison;
  if (notes.length === 0) return null;
  return (
    <aside class="notes" aria-label="Notes">
      {notes.map((note) => (
        <p key={note}>{capitalized(note)}</p>
      ))}
    </aside>
  );
}
