import { expect, it } from "vitest";
import { rolloutsThatFit } from "../../../../src/optimizer/proposal/case/render-cases.ts";
import { rolloutOf } from "../../gepa/support/rollouts.ts";

const component = { kind: "instruction", path: "first", value: "Do." } as const;

/** How many rollouts are shown whose feedback takes about so many tokens each. */
function shown(tokens: readonly number[], room: Parameters<typeof rolloutsThatFit>[2]): number {
  const rollouts = tokens.map((count, index) =>
    rolloutOf(`t${index}`, { ran: ["first"], feedback: "abc".repeat(count) }),
  );
  const fitting = rolloutsThatFit(rollouts, [component], room);
  expect(fitting).toEqual(rollouts.slice(0, fitting.length));
  return fitting.length;
}

it.each([
  ["as many as there are, up to the most", [10, 10, 10, 10], 4],
  ["no more than the most", Array.from({ length: 20 }, () => 10), 8],
  ["as many as fit", Array.from({ length: 20 }, () => 1_000), 5],
  ["the least, however long", [9_000, 9_000, 9_000, 9_000], 3],
  ["one that is too long, and what comes after it, is left out", [10, 10, 10, 9_000, 10], 3],
])("shows %s", (_, tokens, expected) => {
  expect(shown(tokens, { least: 3, most: 8, tokens: 6_000 })).toBe(expected);
});
