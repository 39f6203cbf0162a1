import type { JsonObject, LmDelta } from "../../contract/index.ts";

/**
 * Tells a listener of a reply while it is written. What it told since the last `begin` is a part of
 * the outputs once the call has succeeded, even after failed replies.
 */
export interface OutputStream {
  /** Call when a reply begins: the first, a correction, or a repeated request. */
  begin(): void;
  add(delta: LmDelta): void;
  /** Call with the final outputs; tells what has not been told. */
  end(outputs: JsonObject): void;
}

/** Tells several listeners; `undefined` if there is none. */
export function outputStreams(
  streams: readonly (OutputStream | undefined)[],
): OutputStream | undefined {
  const given = streams.filter((stream) => stream !== undefined);
  if (given.length === 0) return undefined;
  return {
    begin: () => given.forEach((stream) => stream.begin()),
    add: (delta) => given.forEach((stream) => stream.add(delta)),
    end: (outputs) => given.forEach((stream) => stream.end(outputs)),
  };
}
