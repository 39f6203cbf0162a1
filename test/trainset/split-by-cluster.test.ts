import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Example } from "../../src/contract/index.ts";
import { splitByCluster, trainset } from "../../src/trainset/index.ts";

type Question = Example<{ readonly question: string }, { readonly answer: string }>;

function question(id: string, more: { cluster?: string; question?: string } = {}): Question {
  const { cluster, question: asked = `Which river is ${id}?` } = more;
  return {
    id,
    input: { question: asked },
    labels: { answer: id },
    ...(cluster !== undefined && { cluster }),
  };
}

const alone = (count: number): readonly Question[] =>
  Array.from({ length: count }, (_, place) => question(`q${place}`));

/** The split of each example, by id. */
function homes(splits: ReturnType<typeof splitByCluster>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(splits).flatMap(([split, held]) => held.map(({ id }) => [id, split])),
  );
}

function sizes({ train, val, test }: ReturnType<typeof splitByCluster>): readonly number[] {
  return [train.length, val.length, test.length];
}

describe("examples in three splits", () => {
  it("have the exact shares where they stand alone, and counts where these add up", () => {
    expect(sizes(splitByCluster(alone(100), { seed: 0 }))).toEqual([60, 20, 20]);
    const shares = { train: 70, val: 20, test: 7 };
    expect(sizes(splitByCluster(alone(97), { seed: 3, shares }))).toEqual([70, 20, 7]);
    expect(sizes(splitByCluster(alone(10), { seed: 3, shares: { val: 1, test: 1 } }))).toEqual([
      0, 5, 5,
    ]);
  });

  it("are the same whatever their order, others for another seed, and keep their order", () => {
    const rows = alone(200);
    const splits = splitByCluster(rows, { seed: 0 });
    expect(homes(splitByCluster(rows.toReversed(), { seed: 0 }))).toEqual(homes(splits));
    expect(homes(splitByCluster(rows, { seed: 1 }))).not.toEqual(homes(splits));
    expect(splits.train).toEqual(rows.filter((row) => splits.train.includes(row)));
  });

  it("mostly stay where they are as rows are added, and all do as labels are corrected", () => {
    const rows = alone(1_000);
    const before = homes(splitByCluster(rows.slice(0, 950), { seed: 0 }));
    const after = homes(splitByCluster(rows, { seed: 0 }));
    const moved = Object.keys(before).filter((id) => before[id] !== after[id]);
    expect(moved.length).toBeLessThan(50);
    const corrected = rows.map((row) => ({ ...row, labels: { answer: "another" } }));
    expect(homes(splitByCluster(corrected, { seed: 0 }))).toEqual(after);
  });

  it("stay together by cluster, by input, and along chains of both", () => {
    const rows = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 60, maxLength: 80 });
    fc.assert(
      fc.property(rows, fc.nat(), (drawn, seed) => {
        const examples = [
          ...drawn.map(([cluster, asked], place) =>
            question(`d${place}`, { cluster: `c${cluster}`, question: `${asked}?` }),
          ),
          ...alone(200),
        ];
        const home = homes(splitByCluster(examples, { seed }));
        for (const shared of [
          Map.groupBy(examples, ({ id, cluster = id }) => cluster),
          Map.groupBy(examples, ({ input }) => input.question),
        ]) {
          for (const members of shared.values()) {
            expect(new Set(members.map(({ id }) => home[id])).size).toBe(1);
          }
        }
      }),
    );
    const chain = [
      question("a", { cluster: "c1", question: "1?" }),
      question("b", { cluster: "c1", question: "2?" }),
      question("c", { cluster: "c2", question: "2?" }),
      question("d", { question: "2?" }),
    ];
    for (let seed = 0; seed < 50; seed++) {
      const home = homes(splitByCluster([...alone(20), ...chain], { seed }));
      expect(new Set(["a", "b", "c", "d"].map((id) => home[id])).size).toBe(1);
    }
  });

  it("miss their shares by less than a group, and make a trainset", () => {
    const rows = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 40, maxLength: 80 });
    fc.assert(
      fc.property(rows, fc.nat(), (lengths, seed) => {
        const examples = lengths.flatMap((length, place) =>
          Array.from({ length }, (_, turn) =>
            question(`q${place}-${turn}`, { cluster: `c${place}` }),
          ),
        );
        const splits = splitByCluster(examples, { seed });
        const wanted = [0.6, 0.2, 0.2].map((share) => share * examples.length);
        for (const [place, size] of sizes(splits).entries()) {
          expect(Math.abs(size - (wanted[place] ?? 0))).toBeLessThanOrEqual(5);
        }
        expect(sizes(trainset({ name: "rivers", splits }).splits)).toEqual(sizes(splits));
      }),
    );
  });

  it("are grouped fast where ten thousand share one input", () => {
    const same = alone(10_000).map(({ id }) => question(id, { question: "?" }));
    expect(sizes(splitByCluster(same, { seed: 0, shares: { val: 1 } }))).toEqual([0, 10_000, 0]);
  });

  it("are refused where a split would be empty, and for shares below 0 or of 0 in all", () => {
    const two = ["a", "b", "c", "d"].map((id) => question(id, { cluster: id < "c" ? "1" : "2" }));
    expect(() => splitByCluster(two, { seed: 0 })).toThrow(
      /^There are too few examples for these shares\. Expected: at least one in each of train \(60\), val \(20\), test \(20\)\. Got: .*, of 4 examples in 2 groups that stay together\./,
    );
    expect(() => splitByCluster(two, { seed: 0, shares: { val: -1 } })).toThrow("`shares.val`");
    for (const shares of [{}, { train: 0, test: 0 }]) {
      expect(() => splitByCluster(two, { seed: 0, shares })).toThrow(
        expect.objectContaining({ code: "option-invalid" }),
      );
    }
  });
});
