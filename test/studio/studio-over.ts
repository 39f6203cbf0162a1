import type { GuardedServer } from "../../src/serve/index.ts";
import { readSource } from "../../src/cli/compare/read-source.ts";
import { studio } from "../../src/studio/index.ts";

/** A studio over a folder; a test fails by what it did not expect. */
export async function studioOver(
  folder: string,
  serverFiles: readonly string[] = [],
): Promise<GuardedServer> {
  const faults: unknown[] = [];
  const server = await studio({
    folder,
    serverFiles,
    readSource,
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
