import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import {
  exampleOrder,
  runsToKnow,
  shuffledBy,
} from "../../../src/optimizer/joint-search/evidence/evidence.ts";

const ids = ["a", "b", "c", "d", "e", "f"];
const none: ReadonlySet<string> = new Set();
const started = () =>
  exampleOrder(shuffledBy(ids, (epoch) => randomSource(0, "joint-search/train", epoch)));

describe("the order of examples", () => {
  it("gives what was begun its runs before it begins others", () => {
    const order = started();
    order.begin(["b", "e"]);
    expect(order.next(2, none, 3)).toEqual(["b", "e"]);
    expect(order.next(2, none, 3)).toEqual(["b", "e"]);
    expect(order.next(6, none, 3).toSorted()).toEqual(ids);
  });

  it("deals each as often as any other where a second run is worth no more than a first", () => {
    const order = started();
    const dealt = Array.from({ length: 6 }, () => order.next(2, none, 0)).flat();
    for (const id of ids) expect(dealt.filter((one) => one === id)).toHaveLength(2);
  });

  it("leaves out what is known", () => {
    const order = started();
    order.begin(["b", "e"]);
    expect(order.next(6, new Set(["b", "c"]), 4)).toHaveLength(4);
  });
});

describe("the runs that an example gets before others", () => {
  it("are fewer the noisier its runs are", () => {
    expect(runsToKnow(0)).toBe(4);
    expect(runsToKnow(0.5)).toBe(2);
    expect(runsToKnow(3)).toBeLessThan(1);
    expect(runsToKnow(null)).toBe(3);
  });
});
