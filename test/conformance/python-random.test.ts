import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pythonRandom } from "./support/python-random.ts";

const recorded = JSON.parse(
  readFileSync(new URL("fixtures/python_rng_vectors.json", import.meta.url), "utf8"),
) as readonly Recorded[];

describe("draws as CPython makes them", () => {
  it.each(recorded)("are the recorded ones for seed $seed", ({ seed, ...expected }) => {
    const times = <TItem>(count: number, draw: () => TItem): readonly TItem[] =>
      Array.from({ length: count }, draw);
    const fresh = () => pythonRandom(seed);
    const [random, bits, choice, randint, pairs, choices] = times(6, fresh) as Six;
    expect({
      random5: times(5, random.random),
      getrandbits32x4: times(4, () => bits.getrandbits(32)),
      shuffle30: fresh().shuffle(range(30)),
      choice_of_7_x10: times(10, () => choice.choice(range(7))),
      randint_0_9_x10: times(10, () => randint.below(10)),
      sample_2_of_range5_x5: times(5, () => pairs.sample(range(5), 2)),
      sample_5_of_range20: fresh().sample(range(20), 5),
      sample_3_of_range100: fresh().sample(range(100), 3),
      "choices_abc_w_0.2_0.5_0.3_x10": times(10, () =>
        choices.weighted(["a", "b", "c"], [0.2, 0.5, 0.3]),
      ),
    }).toEqual(expected);
  });

  it("were recorded", () => expect(recorded).toHaveLength(5));
});

type Six = readonly [Draws, Draws, Draws, Draws, Draws, Draws];
type Draws = ReturnType<typeof pythonRandom>;
type Recorded = { readonly seed: number } & Readonly<Record<string, unknown>>;

function range(count: number): readonly number[] {
  return [...Array(count).keys()];
}
