import { expect, it } from "vitest";
import type { Evidence } from "../../../src/optimizer/joint-search/evidence/evidence.ts";
import type { Configuration, Setting } from "../../../src/optimizer/joint-search/lever/lever.ts";
import { race } from "../../../src/optimizer/joint-search/stage/race.ts";

const val = Array.from({ length: 12 }, (_, place) => `v${place}`);

/** A race under a budget, of which each knows what it was run on before; gains say nothing. */
async function raced(
  before: readonly (readonly string[])[],
  { rollouts }: { readonly rollouts: number },
): Promise<readonly (readonly string[])[]> {
  const ran = before.map((ids) => [...ids]);
  const all = ran.map((_, place): Configuration => [{ key: String(place) } as Setting]);
  const of = (one: Configuration): string[] => ran[all.indexOf(one)] ?? [];
  let left = rollouts;
  const evidence = {
    gain: () => ({ mean: 0, deviation: 1 }),
    missing: (_: "train" | "val", ids: readonly string[], one: Configuration) =>
      ids.filter((id) => !of(one).includes(id)),
    begin: () => undefined,
    run: async (one: Configuration, examples: { readonly val: readonly string[] }) => {
      of(one).push(...examples.val);
      left -= examples.val.length;
      return { train: [], val: [] };
    },
  } as unknown as Evidence;
  await race(all, evidence, {
    run: { fits: ({ rollouts: asked }: { readonly rollouts: number }) => asked <= left } as never,
    val,
    onRun: () => undefined,
    onRound: () => undefined,
  });
  return ran;
}

it("runs finalists on what the program as it is was run on, so that gains are of pairs", async () => {
  const own = ["v8", "v9", "v10", "v11"];
  const [initial, one, other] = await raced([own, ["v0", "v1"], []], { rollouts: 8 });
  expect(initial).toEqual(own);
  expect(one).toEqual(["v0", "v1", ...own]);
  expect(other).toEqual(own);
});

it("runs on what most were run on before it begins others", async () => {
  const [initial, one, other] = await raced([["v5"], ["v7", "v5"], ["v7"]], { rollouts: 8 });
  for (const ran of [initial, one, other]) {
    expect(ran?.toSorted()).toEqual(["v0", "v1", "v5", "v7"]);
  }
});

it("ends when all were run on all of val", async () => {
  const ran = await raced([[], [], ["v3"]], { rollouts: 1_000 });
  for (const ids of ran) expect(ids.toSorted()).toEqual(val.toSorted());
});
