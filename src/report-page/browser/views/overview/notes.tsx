import type { JSX } from "preact";
import { capitalized } from "../../data/capitalized.ts";

/** What a reader must know before trusting the figures. */
export function Notes({ notes }: { readonly notes: readonly string[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <aside class="notes" aria-label="Notes">
      {notes.map((note) => (
        <p key={note}>{capitalized(note)}</p>
      ))}
    </aside>
  );
}
