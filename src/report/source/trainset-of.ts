import type { SourceGiven } from "./source-given.ts";

/** The data that a source was made with, as far as it tells. */
export function trainsetOf(
  one: SourceGiven,
): { readonly name: string; readonly checksum?: string } | undefined {
  if (one.kind === "result") return one.result.trainset;
  if (one.kind === "artifact") return one.artifact.compiled.dataset ?? undefined;
  const { trainset } = one.history.recorded.run as {
    readonly trainset?: { readonly name: string; readonly checksum?: string };
  };
  return trainset;
}
