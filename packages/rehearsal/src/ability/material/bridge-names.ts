import type { TextReader } from "../../text/index.ts";
import type { CueWords } from "./cue-words.ts";
import { cueWords } from "./cue-words.ts";
import type { Term, WeighedText } from "./salient-terms.ts";
import { salientTerms } from "./salient-terms.ts";

/**
 * Names in some texts that may lead on from a question, best first: names soon after one of the
 * question's own words, by `cueWords`, count three times as much as names that are merely frequent.
 */
export function bridgeNames(
  texts: readonly WeighedText[],
  question: string,
  reader: TextReader,
  except: ReadonlySet<string>,
): readonly Term[] {
  const cues = cueWords(question, reader);
  const close = new Set(texts.flatMap(({ text }) => [...nearNames(text, cues, reader)]));
  return salientTerms(texts, reader, except)
    .filter(({ isName }) => isName)
    .map((term) => (close.has(term.stem) ? { ...term, score: term.score * 3 } : term))
    .toSorted((left, right) => right.score - left.score || left.index - right.index);
}

function nearNames(text: string, { isCue, near }: CueWords, reader: TextReader): Set<string> {
  const found = new Set<string>();
  let since = Infinity;
  for (const word of reader.words(text)) {
    since += 1;
    if (isCue(word)) since = 0;
    if (word.isName && since <= near) {
      found.add(word.stem);
      // Keep a name of several words whole.
      since -= 1;
    }
  }
  return found;
}
