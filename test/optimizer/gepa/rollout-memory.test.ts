import { describe, expect, it } from "vitest";
import type { ScoreReuse } from "espalier/optimizer";
import type { Candidate, Component, SplitName } from "../../../src/contract/index.ts";
import type { RandomSource } from "../../../src/internal/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import type { RolloutMemory } from "../../../src/optimizer/gepa/evidence/rollout-memory.ts";
import { rolloutMemory } from "../../../src/optimizer/gepa/evidence/rollout-memory.ts";
import type { Rollout } from "espalier/optimizer";
import { rolloutOf, textOf } from "./support/rollouts.ts";

const names = ["first", "second", "third"];

interface Entry {
  readonly candidate: Candidate;
  readonly split: SplitName;
  readonly rollout: Rollout;
}

function memoryOf(reuse: ScoreReuse, sharesSplits: boolean): RolloutMemory {
  const randomOfRecheck = (number: number): RandomSource => randomSource(0, "audits", number);
  return rolloutMemory({ mode: reuse, sharesSplits, randomOfRecheck });
}

/** Rollouts of random candidates, each of three texts and a parameter, of which some ran. */
function entries(seed: number): readonly Entry[] {
  const draws = randomSource(seed, "entries");
  return Array.from({ length: 60 }, () => {
    const ran = names.filter(() => draws.below(2) === 0);
    const split = draws.choice(["train", "val"] as const);
    const score = draws.below(8) === 0 ? null : draws.random();
    return {
      candidate: anyCandidate(draws.below),
      split,
      rollout: rolloutOf(draws.choice(["a", "b"]), { score, ran }),
    };
  });
}

function anyCandidate(below: (limit: number) => number): Candidate {
  const texts = names.map((name) => textOf(name, `text ${below(2)}`));
  return [...texts, { kind: "parameter", path: "hops", value: below(2) }];
}

/**
 * Whether a rollout of one candidate must come out the same with the other: as its definition says.
 */
function stands(mode: ScoreReuse, { candidate, rollout }: Entry, other: Candidate): boolean {
  if (mode === "none" || rollout.score.kind === "unscored") return false;
  return candidate.every(
    ({ kind, path, value }, index) =>
      value === other[index]?.value ||
      (mode !== "candidate" && kind !== "parameter" && !rollout.ran.includes(path)),
  );
}

describe.each(["none", "candidate", "trace"] as const)(
  "behaviour 18: a memory that inherits by %s",
  (mode) => {
    it.each([false, true])(
      "knows a rollout exactly where one stands for it (train selects: %s)",
      (sharesSplits) => {
        let found = 0;
        for (let seed = 0; seed < 40; seed++) {
          const memory = memoryOf(mode, sharesSplits);
          const held: Entry[] = [];
          for (const entry of entries(seed)) {
            const { candidate, split, rollout } = entry;
            const { exampleId } = rollout;
            const known = memory.known(candidate, split)(exampleId);
            const standing = held.filter(
              (other) =>
                (sharesSplits || other.split === split) &&
                other.rollout.exampleId === exampleId &&
                stands(mode, other, candidate),
            );
            expect(known === undefined).toBe(standing.length === 0);
            expect([undefined, ...standing.map((other) => other.rollout)]).toContain(known);
            if (known !== undefined) found++;
            memory.add(candidate, split, [rollout]);
            held.push(entry);
          }
        }
        expect(found > 0).toBe(mode !== "none");
      },
    );
  },
);

describe("a memory", () => {
  const candidate: Candidate = [textOf("first"), textOf("second")];
  const withComponent = (component: Component): Candidate =>
    candidate.map((held) =>
      held.kind === component.kind && held.path === component.path ? component : held,
    );

  it("never lets a rollout on train stand for one on val of the same id, unless train selects", () => {
    for (const mode of ["candidate", "trace"] as const) {
      for (const sharesSplits of [false, true]) {
        const memory = memoryOf(mode, sharesSplits);
        memory.add(candidate, "train", [rolloutOf("q1")]);
        expect(memory.known(candidate, "train")("q1")).toBeDefined();
        expect(memory.known(candidate, "val")("q1") !== undefined).toBe(sharesSplits);
        expect(memory.mayRun("val", new Set(["third"]), ["q1"])).toBe(sharesSplits ? 0 : 1);
      }
    }
  });

  it("counts a predictor's demonstrations and field descriptions with it", () => {
    const whole: Candidate = [
      ...candidate,
      { kind: "fieldDescription", path: "first.answer", value: "In short." },
      { kind: "demos", path: "second", value: [] },
    ];
    const memory = memoryOf("trace", false);
    memory.add(whole, "val", [rolloutOf("q1", { ran: ["first"] })]);
    const other = (component: Component): Candidate =>
      whole.map((held) =>
        held.kind === component.kind && held.path === component.path ? component : held,
      );
    const demos = [{ exampleId: "t1", inputs: {}, outputs: {} }];
    const isKnown = (held: Candidate): boolean => memory.known(held, "val")("q1") !== undefined;
    expect(isKnown(other({ kind: "demos", path: "second", value: demos }))).toBe(true);
    expect(isKnown(other(textOf("second", "Other.")))).toBe(true);
    expect(isKnown(other(textOf("first", "Other.")))).toBe(false);
    expect(
      isKnown(other({ kind: "fieldDescription", path: "first.answer", value: "At length." })),
    ).toBe(false);
  });

  it("counts the examples that may run a predictor by their last runs, unknown ones always", () => {
    const memory = memoryOf("trace", false);
    const mayRun = (...names: readonly string[]): number =>
      memory.mayRun("val", new Set(names), ["q1", "q2", "q3"]);
    expect(mayRun("first")).toBe(3);
    memory.add(candidate, "val", [
      rolloutOf("q1", { ran: ["first"] }),
      rolloutOf("q2", { ran: ["second"] }),
    ]);
    expect([mayRun("first"), mayRun("second"), mayRun("first", "second")]).toEqual([2, 2, 3]);
    expect(mayRun("third")).toBe(1);
    memory.add(candidate, "val", [rolloutOf("q1", { ran: ["first", "second"] })]);
    memory.add(candidate, "val", [rolloutOf("q2", { ran: ["first"] })]);
    expect([mayRun("first"), mayRun("second"), mayRun("third")]).toEqual([3, 2, 1]);
  });

  it("knows whose run a rollout was until that candidate is run again", () => {
    const memory = memoryOf("trace", false);
    const rollout = rolloutOf("q1", { ran: ["first"] });
    const other = withComponent(textOf("second", "Other."));
    memory.add(candidate, "val", [rollout]);
    memory.add(other, "val", [rolloutOf("q1", { ran: ["first"] })]);
    expect(memory.ownerOf(rollout, "val")).toBe(candidate);
    expect(memory.ownerOf(rollout, "train")).toBeUndefined();
    memory.add(candidate, "val", [rolloutOf("q1", { ran: ["first"] })]);
    expect(memory.ownerOf(rollout, "val")).toBeUndefined();
  });

  it("is due for a re-run at the first score reused by trace, and then by chance, else never", () => {
    const due = (mode: ScoreReuse): readonly number[] => {
      const memory = memoryOf(mode, false);
      return Array.from({ length: 64_000 }, (_, index) =>
        memory.isRecheckDue() ? [index] : [],
      ).flat();
    };
    const places = due("trace");
    expect(places[0]).toBe(0);
    // 1,000 are expected; the standard error is 31.4.
    expect(Math.abs(places.length - 1000)).toBeLessThan(100);
    // Each place of val, of 64 examples, has its share, which a stride would not give it.
    expect(new Set(places.map((index) => index % 64)).size).toBe(64);
    for (const mode of ["none", "candidate"] as const) expect(due(mode)).toEqual([]);
  });

  it("once it is not to be trusted, stands for the very same candidate alone", () => {
    const memory = memoryOf("trace", false);
    memory.add(candidate, "val", [rolloutOf("q1", { ran: ["first"] })]);
    const other = withComponent(textOf("second", "Other."));
    expect(memory.known(other, "val")("q1")).toBeDefined();
    memory.disable();
    expect(memory.mode).toBe("candidate");
    expect(memory.known(other, "val")("q1")).toBeUndefined();
    expect(memory.known(candidate, "val")("q1")).toBeDefined();
    expect(memory.isRecheckDue()).toBe(false);
  });
});
