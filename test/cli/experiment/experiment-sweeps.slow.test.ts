import { expect, test } from "vitest";
import { randomSource } from "espalier";
import type { CapOption, Stage } from "./resume-under-caps.ts";
import { expectCapsToHold } from "./resume-under-caps.ts";

test.each<[option: CapOption, from: number, to: number]>([
  ["--max-lm-calls", 1, 130],
  ["--max-tokens", 1_000, 90_000],
  ["--max-usd", 0.01, 0.9],
  ["--budget", 1, 80],
])(
  "an experiment resumed under caps drawn at random: %s from %d to %d",
  async (option, from, to) => {
    for (let round = 0; round < 6; round++) {
      const random = randomSource(round, `caps ${option}`, 0);
      await expectCapsToHold(option, drawn(4, { random, option, from, to }));
    }
  },
);

test.each<[option: CapOption, from: number, to: number]>([
  ["--max-lm-calls", 20, 130],
  ["--max-tokens", 10_000, 90_000],
  ["--max-usd", 0.1, 0.9],
])("killed at random under caps drawn at random: %s from %d to %d", async (option, from, to) => {
  let kills = 0;
  for (let round = 0; round < 4; round++) {
    const random = randomSource(round, `kills under ${option}`, 0);
    const stages = drawn(5, { random, option, from, to }).map((stage): Stage =>
      random.below(3) === 0 ? stage : { ...stage, killAfter: 1 + random.below(25) },
    );
    kills += stages.filter(({ killAfter }) => killAfter !== undefined).length;
    await expectCapsToHold(option, stages);
  }
  expect(kills).toBeGreaterThan(7);
});

function drawn(
  count: number,
  {
    random,
    option,
    from,
    to,
  }: {
    readonly random: ReturnType<typeof randomSource>;
    readonly option: CapOption;
    readonly from: number;
    readonly to: number;
  },
): readonly Stage[] {
  return Array.from({ length: count }, () => {
    const cap = from + ((to - from) * random.below(1_000)) / 1_000;
    return { cap: option === "--max-usd" ? cap : Math.round(cap) };
  });
}
