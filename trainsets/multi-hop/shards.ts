import { basename, dirname } from "node:path";

/** The number of a shard: `-00` of Natural Questions, `-00000-of-00005` of others. */
const shardNumber = /[-_.](\d{2}|\d{5})(?:-of-\d+)?(?=\.jsonl?(?:\.gz)?$)/i;

/**
 * All shards of the file, in order: those beside it with the same name but for a number of as many
 * digits. The file alone if it is no shard.
 */
export function shardsOf(path: string, among: readonly string[]): readonly string[] {
  const number = numberIn(path);
  if (number === undefined) return [path];
  const own = unnumbered(path);
  const shards = among.filter(
    (each) =>
      dirname(each) === dirname(path) &&
      numberIn(each)?.length === number.length &&
      unnumbered(each) === own,
  );
  // Of a packed and an unpacked copy, one.
  const byNumber = new Map(shards.map((each) => [numberIn(each), each]));
  return [...byNumber.values()].toSorted();
}

/** How many shards are lacking between the first and the last. */
export function missingShards(shards: readonly string[]): number {
  const numbers = shards.map((path) => Number(numberIn(path) ?? 0));
  return Math.max(...numbers) - Math.min(...numbers) + 1 - shards.length;
}

/** A file, or the first and last of its shards. */
export function shardsText(paths: readonly string[]): string {
  const [first = "", ...rest] = paths;
  const last = rest.at(-1);
  return last === undefined ? first : `${first} to ${basename(last)}`;
}

function numberIn(path: string): string | undefined {
  return shardNumber.exec(path)?.[1];
}

function unnumbered(path: string): string {
  return path.replace(shardNumber, "").replace(/\.gz$/i, "");
}
