import type { SplitName } from "../contract/index.ts";
import { isObject } from "../internal/index.ts";
import { ApiError } from "../serve/index.ts";
import type { FoundItem } from "./finding/found.ts";
import { filesStamp } from "./finding/files-stamp.ts";
import type { RolloutGiven } from "./thread/source-work.ts";

/**
 * What a request for one candidate's run on one example asks for. It comes by POST, which only the
 * studio's own pages can send: a program runs for it.
 *
 * @throws ApiError 400, and what `itemOf` throws
 */
export function rolloutAsked(body: unknown, itemOf: (id: string) => FoundItem): RolloutGiven {
  const { source, candidate, split, example } = isObject(body) ? body : {};
  const known = splits.find((name) => name === split);
  if (
    typeof source !== "string" ||
    typeof candidate !== "number" ||
    typeof example !== "string" ||
    known === undefined
  ) {
    throw new ApiError(
      400,
      "rollout_invalid",
      "Name a `source`, the number of its `candidate`, a `split`, and the id of an `example`.",
    );
  }
  const { path } = itemOf(source);
  return { path, stamp: filesStamp(path), candidate, split: known, exampleId: example };
}

const splits: readonly SplitName[] = ["train", "val", "test"];
