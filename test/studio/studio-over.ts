import type { GuardedServer } from "../../src/serve/index.ts";
import { startThread } from "../../src/cli/studio/start-thread.ts";
import { studio } from "../../src/studio/index.ts";

/** A studio over a folder; a test fails by what it did not expect. */
export async function studioOver(
  folder: string,
  {
    serverFiles = [],
    studies = [],
  }: { readonly serverFiles?: readonly string[]; readonly studies?: readonly string[] } = {},
): Promise<GuardedServer> {
  const faults: unknown[] = [];
  const server = await studio({
    folder,
    serverFiles,
    // The thread runs what Node.js itself can run, from source.
    startThread: () => startThread({ studies }, ["--conditions=espalier:source"]),
    hasStudies: studies.length > 0,
    host: "127.0.0.1",
    port: 0,
    onFault: (error) => faults.push(error),
  });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (faults.length > 0) throw new AggregateError(faults, "The studio met errors");
    },
  };
}
