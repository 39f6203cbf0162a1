import type { Optimizer, OutsideStop } from "../contract/optimizer.ts";
import { gepa } from "../gepa/gepa.ts";
import type { JointSearchOptions } from "./settings/joint-search-settings.ts";

/** `gepa()` with what the options of a joint search say of texts. */
export function textSearch(
  { components, reflection = {}, perfectScore }: JointSearchOptions,
  outsideStops: readonly OutsideStop[],
): Optimizer {
  return outsideStops.reduce<Optimizer>(
    (optimizer, stop) => optimizer.withStop?.(stop) ?? optimizer,
    gepa({
      ...(components && { components: components.filter((one) => !isOfOtherKind(one)) }),
      reflection,
      ...(perfectScore !== undefined && { search: { perfectScore } }),
    }),
  );
}

function isOfOtherKind(selector: string): boolean {
  return /^(?:demos|parameter)(?::|$)/.test(selector);
}
