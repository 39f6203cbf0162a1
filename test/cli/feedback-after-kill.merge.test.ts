import { join, resolve } from "node:path";
import { openFeedback } from "espalier/serve";
import { expect, test } from "vitest";
import { asked } from "../serve/served.ts";
import { answering, upstream } from "../serve/upstream.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a rating that was confirmed survives kill -9 of the server, with its answer", async () => {
  await using folder = await temporaryFolder();
  await using lm = await upstream(answering("There."));
  const path = join(folder.path, "feedback.sqlite");
  const file = resolve("test/cli/fixtures/towns-serving.ts");
  const server = await serveCli([file, "--lm", lm.url, "--feedback", path]);
  const post = async (route: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${server.url}${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { id: string };
  };
  const confirmed: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { id } = await post("/v1/chat/completions", asked("Where?", "towns"));
    await post("/v1/feedback", { id, rating: "up" });
    confirmed.push(id);
  }
  await server.end("SIGKILL");
  using store = openFeedback({ path });
  expect([...store.rated()].map(({ id }) => id)).toEqual(confirmed);
});
