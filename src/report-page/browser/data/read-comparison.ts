import type { RunComparison } from "../../../report/index.ts";

/** Unpacks what `reportPage` packed: base64 of a gzip stream of JSON. */
export async function readComparison(packed: string): Promise<RunComparison> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(unpacked).json()) as RunComparison;
}
