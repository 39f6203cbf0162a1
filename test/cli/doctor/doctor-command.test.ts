import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { raw, vllmServer } from "../../support/vllm-server.ts";

describe("espalier doctor", () => {
  it("prints a table, keeps the outcome, and asks again only when told or when the server changed", async () => {
    await using folder = await temporaryFolder();
    await using server = await serveRehearsal();
    const calls = (): number =>
      server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
    const run = (...more: string[]) =>
      runMain(["doctor", "--lm", `${server.url}/v1`, ...more], { cwd: folder.path });
    const first = await run();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^json schema +yes +wrote "quokka-9"/m);
    expect(first.stdout).toContain("Requests use the dialect `vllm`");
    expect(first.stdout).toMatch(/Probed just now with \d+ calls, \d+ prompt and \d+ completion/);
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
    const nonsense = await runMain(["doctor", "--lm", baseUrl]);
    expect(nonsense).toMatchObject({ code: 3, stdout: "" });
    expect(nonsense.stderr).toContain("lm-bad-envelope");
    server.always("/v1/models", raw("<html>no</html>", "text/html", 404));
    const elsewhere = await runMain(["doctor", "--lm", baseUrl]);
    expect(elsewhere).toMatchObject({ code: 3 });
    expect(elsewhere.stderr).toContain("not as an OpenAI-compatible server");
    await server[Symbol.asyncDispose]();
    const down = await runMain(["doctor", "--lm", baseUrl]);
    expect(down).toMatchObject({ code: 3 });
    expect(down.stderr).toContain("could not be reached");
  });

  it("is remembered by evaluations over several servers: warm-up, hit share, artifact", async () => {
    await using folder = await temporaryFolder();
    await using one = await serveRehearsal({ reportsCachedTokens: true });
    await using two = await serveRehearsal({ reportsCachedTokens: true });
    const lm = `${one.url}/v1,${two.url}/v1`;
    expect((await runMain(["doctor", "--lm", lm], { cwd: folder.path })).code).toBe(0);
    const towns = resolve("test/cli/fixtures/towns.ts");
    const args = ["eval", towns, "--lm", lm, "--cache", "none", "--artifact", "towns.json"];
    const { code, stdout } = await runMain(args, { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /[5-9]\d\.\d % of the prompt tokens sent came from the server's prefix cache/,
    );
    const artifact = JSON.parse(await readFile(join(folder.path, "towns.json"), "utf8"));
    expect(artifact.compiled.lm).toEqual({ provider: "vllm", model: "rehearsal" });
    expect(artifact.run.server).toMatchObject({
      replicas: 2,
      examination: { dialect: "vllm", capabilities: { prefixCaching: { state: "supported" } } },
    });
  });
});
