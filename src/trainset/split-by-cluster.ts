import type { Example, SplitName } from "../contract/index.ts";
import { splitNames } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { checkAtLeast, contentHash, optionOutside, sha256 } from "../internal/index.ts";

export interface ClusterSplitOptions {
  readonly seed: number;
  /**
   * In proportion to each other, so that counts that add up to all examples are counts. A split
   * that is left out gets none. @default { train: 60, val: 20, test: 20 }
   */
  readonly shares?: Readonly<Partial<Record<SplitName, number>>>;
}

/**
 * Divides examples into splits of a trainset. Examples of one cluster stay together, and so do
 * those with the same input, since either would leak into test. Which split an example gets follows
 * from the seed, ids and clusters, not from the order in the file: in a longer file few change
 * theirs. Sizes are exact where examples stand alone, else within half a group of it. Examples keep
 * their order.
 *
 * @throws EspalierError `dataset-invalid` where a split would be empty; `option-invalid`
 * @example
 * const rows = await readExamples("rows.csv", fields);
 * const towns = trainset({ name: "towns", splits: splitByCluster(rows, { seed: 0 }) });
 */
export function splitByCluster<TExample extends Example>(
  examples: readonly TExample[],
  { seed, shares = { train: 60, val: 20, test: 20 } }: ClusterSplitOptions,
): Readonly<Record<SplitName, readonly TExample[]>> {
  for (const name of splitNames) checkAtLeast(`shares.${name}`, shares[name] ?? 0, 0);
  const sumTo = (count: number): number =>
    splitNames.slice(0, count).reduce((sum, name) => sum + (shares[name] ?? 0), 0);
  if (sumTo(splitNames.length) === 0) {
    throw optionOutside("shares", shares, "shares that add up to more than 0");
  }
  const groups = groupsOf(examples)
    .map((members) => ({ members, rank: rankOf(members, seed) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
  const home = new Map<TExample, SplitName | undefined>();
  let start = 0;
  for (const { members } of groups) {
    // By its middle, so that where a group crosses a border most of it is on its side.
    const middle = (start + members.length / 2) * sumTo(splitNames.length);
    const split = splitNames.find((_name, index) => middle < sumTo(index + 1) * examples.length);
    for (const member of members) home.set(member, split);
    start += members.length;
  }
  const held = (split: SplitName) => examples.filter((example) => home.get(example) === split);
  const splits = { train: held("train"), val: held("val"), test: held("test") };
  if (splitNames.every((name) => splits[name].length > 0 || !shares[name])) return splits;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "There are too few examples for these shares",
    expected: `at least one in each of ${splitNames.map((name) => `${name} (${shares[name] ?? 0})`).join(", ")}`,
    got: `${splitNames.map((name) => `${splits[name].length} ${name}`).join(", ")}, of ${examples.length} examples in ${groups.length} groups that stay together`,
    fix: "Choose other shares, add examples, or use smaller clusters.",
  });
}

/**
 * Where the seed puts a group: by names, so that labels may be corrected afterwards. This holds
 * where rows have ids, of their own or made of the input alone.
 */
function rankOf(members: readonly Example[], seed: number): string {
  const drawn = members.map(({ id, cluster = id }) => sha256(`${seed} ${cluster}`));
  return drawn.reduce((least, one) => (one < least ? one : least));
}

/** Examples that share a cluster or an input, with all that share one with these. */
function groupsOf<TExample extends Example>(
  examples: readonly TExample[],
): readonly (readonly TExample[])[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let at = key;
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) {
      parents.set(at, parents.get(up) ?? up);
      at = up;
    }
    return at;
  };
  const named = ({ id, cluster = id }: Example): string => `cluster ${cluster}`;
  for (const example of examples) {
    const [one, other] = [rootOf(named(example)), rootOf(`input ${contentHash(example.input)}`)];
    if (one !== other) parents.set(one, other);
  }
  return [...Map.groupBy(examples, (example) => rootOf(named(example))).values()];
}
