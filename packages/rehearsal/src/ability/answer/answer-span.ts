import type { TextReader, Word } from "../../text/index.ts";
import type { EvidenceSentence } from "../material/evidence.ts";
import { figuresIn, namesIn } from "../material/spans.ts";

/**
 * The shortest span that may answer: a figure for "when", "how many" and the like, otherwise a name
 * that is not in the question, otherwise the last content words of the sentence. Of several spans,
 * the one closest to words of the question wins; a figure also gains from preceding the noun that
 * is counted. A yes-or-no question is confirmed if the evidence has most of its words.
 */
export function answerSpan(
  question: string,
  evidence: readonly EvidenceSentence[],
  reader: TextReader,
): string {
  if (yesOrNo.test(question.trim()) && !/ or /.test(question)) {
    return (evidence[0]?.score ?? 0) > 0.5 ? "yes" : "no";
  }
  const asked = new Set(
    reader.words(question).flatMap(({ stem, kind }) => (kind === "function" ? [] : [stem])),
  );
  const wantsFigure = figurePattern.test(question);
  const counted = countedNoun(question, reader);
  const found = evidence.flatMap(({ text, score }, index) => {
    const words = reader.words(text);
    const spans = wantsFigure ? figuresIn(text, words, asked) : namesIn(text, words, asked);
    return spans.map(({ from, to, text: span }) => {
      const bonus = counted !== "" && words[to]?.stem === counted ? 1 : 0;
      const year = /year|when/i.test(question) && /\b[12]\d{3}\b/.test(span) ? 0.7 : 0;
      // "The Norvik lighthouse": a name before a word of the question says which lighthouse it is.
      const isEpithet =
        !wantsFigure && asked.has(words[to]?.stem ?? "") && text[words[to - 1]?.end ?? 0] === " ";
      const near = (isEpithet ? 0.3 : 1) * nearness(words, { from, to }, asked);
      return { span, value: (1 + near + bonus + year) * (0.2 + score) - index * 1e-6 };
    });
  });
  const best = found.toSorted((left, right) => right.value - left.value)[0];
  if (best !== undefined) return best.span;
  const last = reader
    .words(evidence[0]?.text ?? question)
    .filter(({ kind, stem }) => kind === "content" && !asked.has(stem))
    .slice(-2);
  return last.map(({ surface }) => surface).join(" ");
}

/**
 * How close a span is to words of the question, in [0, about 2]: each word counts by its distance.
 */
function nearness(
  words: readonly Word[],
  { from, to }: { readonly from: number; readonly to: number },
  asked: ReadonlySet<string>,
): number {
  const reached = new Map<string, number>();
  for (const [index, { stem, kind }] of words.entries()) {
    if (kind === "function" || !asked.has(stem) || (index >= from && index < to)) continue;
    const distance = index < from ? from - index : index - to + 1;
    reached.set(stem, Math.max(reached.get(stem) ?? 0, 1 / (1 + distance)));
  }
  return [...reached.values()].reduce((sum, value) => sum + value, 0);
}

/** "hours", of "how many hours". */
function countedNoun(question: string, reader: TextReader): string {
  const after = /\bhow (?:many|much)\b(.*)/i.exec(question)?.[1] ?? "";
  const first = reader.words(after)[0];
  return first?.kind === "content" ? first.stem : "";
}

const yesOrNo = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b/i;

/** Interrogatives that ask for a figure. */
const figurePattern =
  /\bwhen\b|\bhow (?!do|does|did|can|could|should|to|is|are|was|were|come)\w+|\b(?:what|which) (?:\w+ ){0,2}?(?:year|date|number|day|age|percentage|price|fee|cost|height|altitude|length|depth|width|weight|area|population|temperature|frequency|distance|share|rate|score|code|status|size|limit|duration|time)\b|\bwhat (?:does|do|did) .{1,80} (?:cost|pay|charge|weigh|earn)\b/i;
