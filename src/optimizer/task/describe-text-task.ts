import type { Json, JsonObject } from "../../contract/index.ts";
import { contentHash } from "../../internal/index.ts";
import type { TextTask } from "./text-task.ts";

/**
 * All of a text task that a run's trajectory depends on; texts and examples also by their order.
 */
export function describeTextTask<TExample extends Json>({
  name,
  version,
  texts,
  descriptions,
  train,
  val,
}: TextTask<TExample>): JsonObject {
  return {
    name,
    version,
    texts: inOrder(texts),
    ...(descriptions && { descriptions: contentHash(descriptions) }),
    train: inOrder(train),
    val: (val as object) === train ? "train" : inOrder(val),
  };
}

/** By entries, since the hash of an object does not depend on the order of its names. */
function inOrder(byName: Readonly<Record<string, Json>>): string {
  return contentHash(Object.entries(byName));
}
