import type { JSX } from "preact";
import type { VerdictWords } from "../../../../../src/statistics/index.ts";

/** What decided, and what would help, below a verdict. */
export function VerdictNotes({ words }: { readonly words: VerdictWords }): JSX.Element {
  return (
    <>
      {words.reason !== null && <span class="under">{words.reason}</span>}
      {words.help !== null && <span class="under">{words.help}</span>}
    </>
  );
}
