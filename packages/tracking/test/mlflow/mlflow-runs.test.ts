import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { trackingServer } from "../../src/index.ts";
import { runByTag } from "../../src/mlflow/mlflow-runs.ts";

interface Made {
  readonly info: {
    readonly run_id: string;
    readonly artifact_uri: string;
    readonly start_time: number;
  };
  readonly data: object;
}

/** Runs by tag as MLflow has them; the first reply to a creation is lost, after it was obeyed. */
async function forgetfulServer(runs: Made[]) {
  let isFirst = true;
  const deleted: string[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (piece: string) => (body += piece));
    incoming.on("end", () => {
      if (incoming.url?.endsWith("search")) outgoing.end(JSON.stringify({ runs }));
      if (incoming.url?.endsWith("delete")) {
        deleted.push((JSON.parse(body) as { readonly run_id: string }).run_id);
        outgoing.end("{}");
      }
      if (!incoming.url?.endsWith("create")) return;
      const info = { run_id: `run-${runs.length}`, artifact_uri: "", start_time: runs.length };
      runs.push({ info, data: {} });
      if (isFirst) incoming.socket.destroy();
      else outgoing.end(JSON.stringify({ run: runs.at(-1) }));
      isFirst = false;
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deleted,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const wanted = {
  experiment: "1",
  tag: ["espalier.key", "k"] as const,
  name: "search",
  startedAtMs: 1,
  tags: {},
};

it("a run is made once, though the reply was lost", async () => {
  const runs: Made[] = [];
  using server = await forgetfulServer(runs);
  const found = await runByTag(trackingServer({ url: server.url, baseDelayMs: 1 }), wanted);
  expect(runs).toHaveLength(1);
  expect(found).toMatchObject({ id: "run-0", isNew: false });
});

it("of several runs under one name the first counts, and the others are deleted", async () => {
  const run = (id: string, start: number): Made => ({
    info: { run_id: id, artifact_uri: "", start_time: start },
    data: {},
  });
  using server = await forgetfulServer([run("a", 1), run("b", 2), run("c", 2)]);
  const found = await runByTag(trackingServer({ url: server.url }), wanted);
  expect(found.id).toBe("a");
  expect(server.deleted).toEqual(["b", "c"]);
});
