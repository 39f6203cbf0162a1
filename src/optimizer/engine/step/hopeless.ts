import { EspalierError } from "../../../errors/index.ts";

const ended = "The search ended because";
const apart = `${ended} val cannot tell candidates apart`;

/** What makes a search hopeless. */
type Cause = "replies" | "texts" | "train" | "metric" | "val";

/** What to say of each cause, and what to do about it. */
const causes: Readonly<Record<Cause, Record<"problem" | "expected" | "fix", string>>> = {
  replies: {
    problem: `${ended} every reply was invalid`,
    expected: "replies that have the program's output fields",
    fix: "Try a model that can write such replies, show an example of one in the instruction, or ask for fewer or simpler fields.",
  },
  texts: {
    problem: `${ended} no reply of the reflection LM could be used`,
    expected: "a new text in the reply",
    fix: "Choose another reflection LM (`--reflection-lm`, `reflectionLm`), or let it write longer replies.",
  },
  train: {
    problem: "The search found nothing to learn from on train",
    expected: "examples in `train` that the program gets wrong, as it does some in `val`",
    fix: "Put harder examples into `train`, or make the metric stricter.",
  },
  metric: {
    problem: `${apart}: the metric applies to none of its examples`,
    expected: "scores for examples of `val`",
    fix: "Give the examples of `val` the labels that the metric needs, or choose another metric.",
  },
  val: {
    problem: `${apart}: each scores the same on every example`,
    expected: "an example of `val` on which candidates differ",
    fix: "Put examples of other difficulty into `val`, choose a metric that gives partial scores, or search what changes the replies.",
  },
};

/** The error that ends a search which can find nothing. */
export function hopeless(cause: Cause, got: string): EspalierError {
  const { fix, ...report } = causes[cause];
  return new EspalierError({
    code: "search-hopeless",
    ...report,
    got,
    fix: `${fix} Then start a new run: a resumed one has the same replies.`,
  });
}
