import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleByCluster } from "../../src/trainset/index.ts";

interface Turn {
  readonly id: string;
  readonly cluster: string;
  readonly input: Readonly<Record<never, never>>;
  readonly labels: { readonly collection: string };
}

/** Conversations of the given lengths, every fourth of them about the cloud. */
function turnsOf(lengths: readonly number[]): readonly Turn[] {
  return lengths.flatMap((length, index) =>
    Array.from({ length }, (_, turn) => ({
      id: `c${index}-t${turn}`,
      cluster: `c${index}`,
      input: {},
      labels: { collection: index % 4 === 0 ? "cloud" : "finance" },
    })),
  );
}

const anyTurns = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 })
  .map(turnsOf);

describe("a sample by cluster", () => {
  it("has the size that was asked for, in the given order, with at most one cut cluster a stratum", () => {
    fc.assert(
      fc.property(
        anyTurns,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0 }),
        (turns, count, seed) => {
          const drawn = sampleByCluster(turns, { count, seed, strata: ["collection"] });
          expect(drawn).toHaveLength(Math.min(count, turns.length));
          expect(turns.filter((turn) => drawn.includes(turn))).toEqual(drawn);
          const cut = [...Map.groupBy(drawn, ({ cluster }) => cluster)].filter(
            ([name, members]) =>
              members.length < turns.filter(({ cluster }) => cluster === name).length,
          );
          const strata = cut.map(([, [first]]) => first?.labels.collection);
          expect(new Set(strata).size).toBe(strata.length);
        },
      ),
    );
  });

  it("gives each stratum its share, to within one example", () => {
    fc.assert(
      fc.property(anyTurns, fc.integer({ min: 1, max: 200 }), (turns, count) => {
        const drawn = sampleByCluster(turns, { count, seed: 0, strata: ["collection"] });
        for (const name of ["cloud", "finance"]) {
          const among = (rows: readonly Turn[]) =>
            rows.filter(({ labels }) => labels.collection === name).length;
          const exact = (drawn.length * among(turns)) / turns.length;
          expect(Math.abs(among(drawn) - exact)).toBeLessThan(1);
        }
      }),
    );
  });

  it("is the same for a seed, and another for another", () => {
    const turns = turnsOf(Array.from({ length: 40 }, () => 5));
    const draw = (seed: number) => sampleByCluster(turns, { count: 30, seed });
    expect(draw(1)).toEqual(draw(1));
    expect(draw(2)).not.toEqual(draw(1));
  });

  it("draws every cluster equally often", () => {
    const turns = turnsOf(Array.from({ length: 10 }, () => 3));
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 2_000; seed++) {
      for (const { cluster } of sampleByCluster(turns, { count: 6, seed }))
        counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
    }
    // 2 of 10 clusters, 3 turns each, 2,000 times: 1,200, with a standard deviation of 54.
    for (const count of counts.values()) expect(Math.abs(count - 1_200)).toBeLessThan(5 * 54);
    expect(counts.size).toBe(10);
  });

  it("takes examples without a cluster one by one", () => {
    const rows = ["a", "b", "c", "d"].map((id) => ({ id, input: {}, labels: {} }));
    expect(sampleByCluster(rows, { count: 3, seed: 0 })).toHaveLength(3);
    expect(sampleByCluster(rows, { count: 9, seed: 0 })).toBe(rows);
  });
});
