import type { Headline } from "../../../report/index.ts";

/** A verdict in words. */
export const certainty: Readonly<Record<Headline["verdict"], string>> = {
  better: "Surely better",
  worse: "Surely worse",
  undecided: "Not certain",
};
