import type { Optimizer } from "espalier/optimizer";
import { gepa } from "espalier/optimizer";
import { gepaSettings } from "../../../src/optimizer/gepa/settings/gepa-settings.ts";
import { Search } from "../../../src/optimizer/gepa/state/search.ts";
import { candidateOf } from "../gepa/support/search-view.ts";

/**
 * gepa() with `act` in place of its loop: a search at its start, in a real run. The result is the
 * seed.
 */
export function searchOnly(act: (search: Search) => Promise<void> | void): Optimizer {
  return {
    ...gepa(),
    asksReflection: false,
    doOptimize: async (space, run) => {
      await act(new Search(space, run, gepaSettings({})));
      const seed = candidateOf(0, Object.fromEntries(space.val.map((id) => [id, 0])), {
        components: space.components,
      });
      return { reason: "nothing-new", candidates: [seed], rejections: [], best: seed };
    },
  };
}
