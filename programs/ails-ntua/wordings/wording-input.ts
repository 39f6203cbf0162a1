import type { Call, RankedPassage } from "espalier";
import { EspalierError, int, text } from "espalier";
import { z } from "zod";
import type { Searched } from "../../support/by-collection.ts";
import { indexFor } from "../../support/by-collection.ts";
import type { CorpusName } from "../retrieval/index.ts";
import { retrievalInput } from "../retrieval/index.ts";

/** A turn with other wordings of its question, such as rewrites that were recorded. */
export const wordingInput = {
  ...retrievalInput,
  wordings: z
    .record(z.string(), text("query"))
    .describe("The question in other words, by the name of who wrote them."),
};

export const wordingParameters = {
  /** Passages that each wording retrieves. */
  depth: int({ default: 100, min: 10, max: 200 }),
  /** Number of returned passages. */
  k: int({ default: 10, min: 1, max: 100 }),
} as const;

interface WordedTurn {
  readonly corpus: CorpusName;
  readonly wordings: Readonly<Record<string, string>>;
}

/**
 * What one wording of a turn finds in the index of the turn's collection.
 *
 * @throws EspalierError `input-invalid` if the turn has no wording of that name
 */
export async function searchWording(
  name: string,
  { corpus, wordings }: WordedTurn,
  {
    call,
    sparse,
  }: {
    readonly call: Call<Record<never, never>, typeof wordingParameters>;
    readonly sparse: Searched;
  },
): Promise<readonly RankedPassage[]> {
  const query = wordings[name];
  if (query === undefined) {
    throw new EspalierError({
      code: "input-invalid",
      problem: `The turn has no wording \`${name}\``,
      expected: Object.keys(wordings)
        .map((known) => `\`${known}\``)
        .join(", "),
    });
  }
  const { depth: k } = call.parameters;
  return call.retrieve(indexFor(sparse, corpus), { query, k, key: name });
}
