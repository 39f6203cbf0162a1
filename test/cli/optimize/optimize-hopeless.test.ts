import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chat, chatPath, vllmServer } from "../../support/vllm-server.ts";

const places = "test/cli/fixtures/places.ts";

describe("espalier optimize with a model whose every reply is invalid", () => {
  it("ends early with 1 and what to do, without artifact or test, and says so again when resumed", async () => {
    await using server = await vllmServer();
    server.always(chatPath, chat({ content: "Sure!" }));
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const isAsked = ({ path }: { readonly path: string }): boolean => path === chatPath;
    const isExamined = ({ path }: { readonly path: string }): boolean => path === "/v1/models";
    const options = ["--budget", "200", "--lm", server.baseUrl, "--cache", "none"];
    const first = await runMain(["optimize", places, ...options, "--run", run]);
    expect(first).toMatchObject({ code: 1, stdout: "" });
    const [, message = ""] = first.stderr.split("search-hopeless");
    expect(message).toContain("runs failed on the output format: ");
    expect(message).toContain("Sure!");
    expect(message).toContain("Try a model that can write such replies");
    expect(first.stderr).not.toContain("To resume");
    expect(existsSync(join(run, "artifact.json"))).toBe(false);
    expect(server.requests.filter(isAsked).length).toBeLessThan(100);

    const again = await runMain(["optimize", places, "--resume", run]);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr.split("search-hopeless")[1]).toBe(message);
    // What the first run had sent as it ended may have come late, but before this.
    const ofSecond = server.requests.slice(server.requests.findLastIndex(isExamined));
    expect(server.requests.filter(isExamined).length).toBeGreaterThan(1);
    expect(ofSecond.filter(isAsked)).toEqual([]);
  });
});
