import { inject, test as plainTest } from "vitest";
import type { ServerName, VllmAddress } from "./server-kinds.ts";
import { askSupervisor } from "./supervisor.ts";

const perFile = { scope: "file" } as const;

const server = (name: ServerName) => (): Promise<VllmAddress> =>
  askSupervisor(inject("supervisor"), name);

/** A test on real servers, each started when a test first takes it; skipped if there are none. */
export const test = plainTest
  .extend("chat", perFile, server("chat"))
  .extend("guidance", perFile, server("guidance"))
  .extend("narrow", perFile, server("narrow"))
  .extend("systems", perFile, server("systems"))
  .extend("smollm2", perFile, server("smollm2"))
  .extend("qwenCoder", perFile, server("qwenCoder"))
  .extend("minilm", perFile, server("minilm"))
  .extend("embedder", perFile, server("embedder"))
  .extend("reranker", perFile, server("reranker"))
  .skipIf(inject("unavailable") !== "");
