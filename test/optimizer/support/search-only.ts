import type { Optimizer } from "espalier/optimizer";
import { gepa } from "espalier/optimizer";
import { gepaSettings } from "../../../src/optimizer/gepa/gepa-settings.ts";
import type { Search } from "../../../src/optimizer/gepa/search.ts";
import { startSearch } from "../../../src/optimizer/gepa/search.ts";
import { candidateOf } from "../gepa/support/search-view.ts";

/**
 * gepa() with `act` in the place of its loop: a search at its beginning, in a real run. What comes of
 * it is the seed.
 */
export function searchOnly(act: (search: Search) => Promise<void> | void): Optimizer {
  return {
    ...gepa(),
    doOptimize: async (space, run) => {
      await act(startSearch(space, run, gepaSettings({})));
      const seed = candidateOf(0, Object.fromEntries(space.val.map((id) => [id, 0])), {
        components: space.components,
      });
      return { reason: "nothing-new", candidates: [seed], refusals: [], best: seed };
    },
  };
}
