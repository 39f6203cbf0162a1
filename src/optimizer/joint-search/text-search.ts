import type { Optimizer } from "../contract/optimizer.ts";
import { gepa } from "../gepa/gepa.ts";
import type { JointSearchOptions } from "./settings/joint-search-settings.ts";

/** `gepa()` with what the options of a joint search say of texts. */
export function textSearch({
  components,
  reflection = {},
  perfectScore,
}: JointSearchOptions): Optimizer {
  return gepa({
    ...(components && { components: components.filter((one) => !isOfOtherKind(one)) }),
    reflection,
    ...(perfectScore !== undefined && { search: { perfectScore } }),
  });
}

function isOfOtherKind(selector: string): boolean {
  return /^(?:demos|parameter)(?::|$)/.test(selector);
}
