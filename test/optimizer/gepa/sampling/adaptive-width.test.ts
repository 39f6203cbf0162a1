import { describe, expect, it } from "vitest";
import type { MinibatchChoice, ParentSelection } from "espalier/optimizer";
import { adaptiveWidth } from "espalier/optimizer";
import { randomSource } from "../../../../src/internal/index.ts";
import {
  afterProposal,
  shareAfterAcceptance,
  unknownAcceptance,
} from "../../../../src/optimizer/gepa/strategy/acceptance-chance.ts";
import { thrownBy } from "../../../support/thrown-by.ts";
import { candidateOf, searchView } from "../support/search-view.ts";

const candidates = Array.from({ length: 20 }, (_, id) => candidateOf(id, { v: id }));
const parent: ParentSelection = { name: "by place", select: (_, index) => 10 + index };
const minibatch: MinibatchChoice = {
  next: (_, { id }, index) => ({ kind: "run", exampleIds: [`for ${id} at ${index}`] }),
};

/** Proposals of an iteration after these ones, in order; `true`: accepted. */
function widthAfter(
  proposals: readonly boolean[],
  options: Parameters<typeof adaptiveWidth>[0] = {},
): number {
  const acceptance = proposals.reduce(afterProposal, unknownAcceptance);
  const view = searchView({ candidates, acceptance });
  return adaptiveWidth(options).sample(view, parent, minibatch).length;
}

const times = (count: number, isAccepted: boolean): readonly boolean[] =>
  Array.from({ length: count }, () => isAccepted);

describe("the width of an iteration", () => {
  it("is one while nothing is known, and while most are accepted", () => {
    expect(widthAfter([])).toBe(1);
    expect(widthAfter(times(30, true))).toBe(1);
    expect(widthAfter([...times(10, false), ...times(10, true)])).toBe(1);
  });

  it("grows with each refusal, up to its most, and falls with an acceptance", () => {
    const widths = Array.from({ length: 40 }, (_, count) => widthAfter(times(count, false)));
    expect(widths).toEqual(widths.toSorted((one, other) => one - other));
    expect(widths.at(-1)).toBeGreaterThan(2);
    expect(widthAfter([...times(40, false), true])).toBeLessThan(widths.at(-1) ?? 0);
    expect(widthAfter(times(40, false), { atMost: 2 })).toBe(2);
    expect(widthAfter(times(40, false), { atMost: 1 })).toBe(1);
    expect(widthAfter(times(40, false), { loss: 0 })).toBe(1);
    expect(widthAfter(times(40, true), { loss: 1 })).toBe(8);
  });

  it("draws a parent and examples for each proposal", () => {
    const acceptance = times(40, false).reduce(afterProposal, unknownAcceptance);
    const view = searchView({ candidates, acceptance });
    const tasks = adaptiveWidth({ atMost: 2 }).sample(view, parent, minibatch);
    expect(tasks).toEqual([
      { parent: 10, minibatch: { kind: "run", exampleIds: ["for 10 at 0"] } },
      { parent: 11, minibatch: { kind: "run", exampleIds: ["for 11 at 1"] } },
    ]);
  });

  it.each([{ atMost: 0 }, { atMost: 1.5 }, { loss: -0.1 }, { loss: 2 }])(
    "is refused as %j",
    async (options) => {
      expect((await thrownBy(() => adaptiveWidth(options))).code).toBe("option-invalid");
    },
  );
});

describe("the share of proposals that come after the first accepted one", () => {
  it.each([
    [0, 0, 2],
    [0, 4, 3],
    [2, 9, 8],
  ])(
    "after %i accepted and %i refused is of %i what it is in draws",
    (accepted, refused, count) => {
      const random = randomSource(0, "share", count);
      const draws = 40_000;
      let lost = 0;
      for (let draw = 0; draw < draws; draw++) {
        // The k-th smallest of n uniform numbers has the distribution beta(k, n + 1 - k).
        const uniform = Array.from({ length: accepted + refused + 1 }, () => random.random());
        const chance = uniform.toSorted((one, other) => one - other)[accepted] ?? NaN;
        let isAccepted = false;
        for (let index = 0; index < count; index++) {
          if (isAccepted) lost++;
          else isAccepted = random.random() < chance;
        }
      }
      const share = shareAfterAcceptance({ accepted, refused }, count);
      expect(share).toBeCloseTo(lost / draws / count, 2);
    },
  );

  it("counts what was long ago for less", () => {
    const early = [true, false, false].reduce(afterProposal, unknownAcceptance);
    const late = [false, false, true].reduce(afterProposal, unknownAcceptance);
    expect(shareAfterAcceptance(early, 4)).toBeLessThan(shareAfterAcceptance(late, 4));
  });
});
