import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { LmChoice, OpenedLm } from "./open-lm.ts";
import { openLm, openOwnLm } from "./open-lm.ts";

/**
 * The LM of a command that answers people. It never defaults to a stand-in: clients would take its
 * answers for a model's.
 *
 * @param own the LM of the serving, which needs no --lm
 * @throws EspalierError `usage-invalid` where no LM is named
 */
export async function openAnsweringLm(
  { lm, ...choice }: Omit<LmChoice, "lm"> & { readonly lm?: string | undefined },
  own: LanguageModel | undefined,
): Promise<OpenedLm> {
  if (lm !== undefined) return openLm({ ...choice, lm });
  if (own !== undefined) return openOwnLm(own, choice.concurrency);
  throw new EspalierError({
    code: "usage-invalid",
    problem: "No LM is given",
    expected: "--lm URL, the base URL of an OpenAI-compatible server",
    fix: "To try it without a model, use the stand-in: --lm rehearsal. Each answer then says so.",
  });
}
