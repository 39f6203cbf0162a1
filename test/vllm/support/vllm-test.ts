import { inject, test } from "vitest";
import type { ServerName, VllmAddress } from "./server-kinds.ts";
import { askSupervisor } from "./supervisor.ts";

const unavailable = inject("unavailable");

const address = (name: ServerName) =>
  [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use: (address: VllmAddress) => Promise<void>): Promise<void> => {
      await use(await askSupervisor(inject("supervisor"), name));
    },
    { scope: "file" },
  ] as const;

/** Servers by the names of `serverKinds`, each started when a test first takes it. */
const withServers = test.extend<Record<ServerName, VllmAddress>>({
  chat: address("chat"),
  guidance: address("guidance"),
  llama: address("llama"),
  embedder: address("embedder"),
  reranker: address("reranker"),
});

/** A test on real servers; skipped where there can be none. */
export const vllmTest = withServers.skipIf(unavailable !== "");
