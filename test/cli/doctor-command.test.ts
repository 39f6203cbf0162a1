import { describe, expect, it } from "vitest";
import { serveRehearsal } from "espalier/rehearsal";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { raw, vllmServer } from "../support/vllm-server.ts";

describe("espalier doctor", () => {
  it("prints a table, keeps the outcome, and asks again only when told or when the server changed", async () => {
    await using folder = await temporaryFolder();
    await using server = await serveRehearsal();
    const calls = (): number =>
      server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
    const run = (...more: string[]) =>
      runCli(["doctor", "--lm", `${server.url}/v1`, ...more], { cwd: folder.path });
    const first = await run();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^json schema +yes +wrote "quokka-9"/m);
    expect(first.stdout).toContain("Requests will be in dialect `vllm`");
    expect(first.stdout).toMatch(/Tried just now with \d+ calls, \d+ prompt and \d+ completion/);
    const asked = calls();
    const again = JSON.parse((await run("--json")).stdout) as { readonly model: string };
    expect(again.model).toBe("rehearsal");
    expect(calls()).toBe(asked);
    await run("--fresh");
    expect(calls()).toBe(2 * asked);
  });

  it("ends with 3 and one sentence when the server is down or talks nonsense", async () => {
    await using server = await vllmServer();
    const { baseUrl } = server;
    server.always("/v1/models", raw("<html>hello</html>"));
    const nonsense = await runCli(["doctor", "--lm", baseUrl]);
    expect(nonsense).toMatchObject({ code: 3, stdout: "" });
    expect(nonsense.stderr).toContain("lm-bad-envelope");
    server.always("/v1/models", raw("<html>no</html>", "text/html", 404));
    const elsewhere = await runCli(["doctor", "--lm", baseUrl]);
    expect(elsewhere).toMatchObject({ code: 3 });
    expect(elsewhere.stderr).toContain("no OpenAI-compatible server");
    await server[Symbol.asyncDispose]();
    const down = await runCli(["doctor", "--lm", baseUrl]);
    expect(down).toMatchObject({ code: 3 });
    expect(down.stderr).toContain("could not be reached");
  });
});
