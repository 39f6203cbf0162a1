import { expect, test } from "vitest";
import { counter, histogram } from "../../../src/internal/index.ts";

test("metrics are in Prometheus' text format", () => {
  const chats = counter({ name: "chats_total", help: "Questions." });
  chats.add({ model: 'a"b\\c\nd' });
  chats.add({ model: 'a"b\\c\nd' }, 2);
  const durations = histogram({ name: "seconds", help: "Time.", buckets: [1, 2] });
  for (const value of [0.5, 1, 1.5, 9]) durations.observe({ model: "m" }, value);
  expect([...chats.lines(), ...durations.lines()].join("\n")).toMatchInlineSnapshot(`
    "# HELP chats_total Questions.
    # TYPE chats_total counter
    chats_total{model="a\\"b\\\\c\\nd"} 3
    # HELP seconds Time.
    # TYPE seconds histogram
    seconds_bucket{model="m",le="1"} 2
    seconds_bucket{model="m",le="2"} 3
    seconds_bucket{model="m",le="+Inf"} 4
    seconds_sum{model="m"} 12
    seconds_count{model="m"} 4"
  `);
});
