import type { TextReader } from "../text/index.ts";
import type { Term, WeighedText } from "./salient-terms.ts";
import { salientTerms } from "./salient-terms.ts";

/** Words between a word of the question and a name that still count as near. */
const near = 4;
/** Letters by which related words are told when their stems differ: `director`, `directed`. */
const root = 5;

/**
 * Names in some texts that may lead on from a question, best first: those that stand near its own
 * words come before names that are merely frequent.
 */
export function bridgeNames(
  texts: readonly WeighedText[],
  question: string,
  reader: TextReader,
  except: ReadonlySet<string>,
): readonly Term[] {
  const roots = new Set([...reader.stems(question)].map((stem) => stem.slice(0, root)));
  const close = new Set(texts.flatMap(({ text }) => [...nearNames(text, roots, reader)]));
  return salientTerms(texts, reader, except)
    .filter(({ isName }) => isName)
    .map((term) => (close.has(term.stem) ? { ...term, score: term.score * 3 } : term))
    .toSorted((left, right) => right.score - left.score || left.place - right.place);
}

function nearNames(text: string, roots: ReadonlySet<string>, reader: TextReader): Set<string> {
  const found = new Set<string>();
  let since = Infinity;
  for (const { stem, kind, isName } of reader.words(text)) {
    since += 1;
    if (kind === "content" && !isName && roots.has(stem.slice(0, root))) since = 0;
    if (isName && since <= near) {
      found.add(stem);
      // A name of several words stays whole.
      since -= 1;
    }
  }
  return found;
}
