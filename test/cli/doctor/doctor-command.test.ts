import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chatPath, raw, stall, vllmServer } from "../../support/vllm-server.ts";
import { holdTimers } from "../../support/hold-timers.ts";
import { capableVllm } from "../../lm/doctor/capable-vllm.ts";

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

  it("waits as long as --stall-timeout says, shows what it has, and says what had no time", async () => {
    await using folder = await temporaryFolder();
    await using server = await vllmServer();
    const plain = capableVllm();
    let silent = 0;
    server.always(chatPath, (request, response) =>
      request.body.tools === undefined ? plain(request, response) : void silent++,
    );
    holdTimers();
    const args = ["doctor", "--lm", server.baseUrl, "--stall-timeout", "300"];
    const running = runMain(args, { cwd: folder.path });
    // Calls by choice, a required one, and two at once.
    for (let trial = 1; trial <= 3; trial++) {
      await expect.poll(() => silent).toBe(trial);
      const shown = vi
        .mocked(console.log)
        .mock.calls.map(([text]) => String(text))
        .join("\n");
      expect(shown).toMatch(/^json schema +yes/m);
      expect(shown).not.toMatch(/^prefix caching/m);
      vi.advanceTimersByTime(300_000);
    }
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tool calls +unknown +no usable answer: .* nothing for 300000 ms$/m);
    expect(stdout).toContain(
      "Not checked in time: 3. To try again, use --fresh with a longer --stall-timeout.",
    );
  });

  it("names --stall-timeout where a server says nothing at all, and takes seconds alone", async () => {
    await using server = await vllmServer();
    server.always(chatPath, stall);
    holdTimers();
    const running = runMain(["doctor", "--lm", server.baseUrl]);
    await expect.poll(() => server.requests.some(({ path }) => path === chatPath)).toBe(true);
    vi.advanceTimersByTime(60_000);
    const { code, stdout, stderr } = await running;
    expect(code).toBe(3);
    expect(stdout).toMatch(/^test-model at http/);
    expect(stderr).toContain("raise --stall-timeout");
    const refused = await runMain(["doctor", "--lm", server.baseUrl, "--stall-timeout", "1m"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--stall-timeout");
  });

  it("marks what the model did not do though the server took it", async () => {
    await using folder = await temporaryFolder();
    await using server = await serveRehearsal();
    const args = ["doctor", "--lm", `${server.url}/v1`];
    const first = await runMain(args, { cwd: folder.path });
    expect(first.stdout).toMatch(/^parallel tool calls model +one call where two were asked for$/m);
    expect(first.stdout).toContain("\n`model`: the server accepted the request,");
    // As kept.
    const again = await runMain(args, { cwd: folder.path });
    expect(again.stdout.split("\n").slice(0, 30)).toEqual(first.stdout.split("\n").slice(0, 30));
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
