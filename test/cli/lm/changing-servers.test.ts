import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { VllmServer } from "../../support/vllm-server.ts";
import { chatPath } from "../../support/vllm-server.ts";

const places = resolve("test/cli/fixtures/few-places.ts");
const chats = ({ requests }: VllmServer) => requests.filter(({ path }) => path === chatPath).length;
const wasExamined = ({ requests }: VllmServer) =>
  requests.some(({ path }) => /health|models/.test(path));
const lastLine = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? "");
const optimize = ["optimize", places, "--budget", "24", "--cache", "none", "--json"];

async function compiledIn(folder: string): Promise<unknown> {
  const artifact = await readFile(join(folder, "artifact.json"), "utf8");
  return (JSON.parse(artifact) as { readonly compiled: unknown }).compiled;
}

describe("--lm @FILE", () => {
  test("lets a server join and another leave in mid-run, and decides the same", async () => {
    await using first = await modelServer("main");
    await using third = await modelServer("main");
    await using second = await modelServer("main");
    await using other = await modelServer("other");
    // Its third call is answered when both others were examined.
    const before = async (): Promise<void> => {
      const isDue = () => chats(leaver) < 3 || (wasExamined(second) && wasExamined(other));
      await expect.poll(isDue, { interval: 5 }).toBe(true);
    };
    await using leaver = await modelServer("main", { before });
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    const file = join(cwd, "lms.txt");

    const pair = `${first.baseUrl},${third.baseUrl}`;
    const alone = await runMain([...optimize, "--lm", pair, "--run", "alone"], { cwd });
    expect(alone).toMatchObject({ code: 0 });

    await writeFile(file, `${leaver.baseUrl}\n`);
    const running = runMain([...optimize, "--lm", "@lms.txt", "--run", "changing"], { cwd });
    await expect.poll(() => chats(leaver)).toBeGreaterThan(2);
    await writeFile(file, `${second.baseUrl}\n${other.baseUrl}\n`);
    const changing = await running;
    expect(changing).toMatchObject({ code: 0 });
    expect(changing.stderr).toContain(`${second.baseUrl} joined.`);
    expect(changing.stderr).toContain(`${leaver.baseUrl} is leaving: it gets no new calls.`);
    expect(changing.stderr).toMatch(
      new RegExp(`${other.baseUrl} cannot join: .*does not offer the model .main.`),
    );
    expect(chats(second)).toBeGreaterThan(0);
    expect(chats(other)).toBe(0);
    expect(lastLine(changing.lines).lm).toMatchObject({ model: "main", url: "@lms.txt" });
    const { ledger } = lastLine(changing.lines);
    expect(ledger.total.billed.calls).toBe(chats(leaver) + chats(second));
    expect(await compiledIn(join(cwd, "changing"))).toEqual(await compiledIn(join(cwd, "alone")));

    // The file is found again from another folder.
    await mkdir(join(cwd, "elsewhere"));
    const resumed = await runMain(
      ["optimize", places, "--resume", join(cwd, "changing"), "--json"],
      {
        cwd: join(cwd, "elsewhere"),
      },
    );
    expect(resumed.stderr).toContain(`--lm @${file}`);
  });

  test("ends the command, before it costs anything, where the file cannot be used", async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, "empty.txt"), "# none\n");
    const missing = await runMain([...optimize, "--lm", "@missing.txt"], { cwd });
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain("Cannot read the list of servers");
    const empty = await runMain([...optimize, "--lm", "@empty.txt"], { cwd });
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.stderr).toContain("A list of servers cannot be used");
  });

  test("may stand in the servers file, and doctor examines each", async () => {
    await using first = await modelServer("main");
    await using second = await modelServer("main");
    const lms = { main: { url: "@lms.txt", model: "main" } };
    await using folder = await serversFolder({ lms });
    const cwd = folder.path;
    await writeFile(join(cwd, "lms.txt"), `${first.baseUrl}\n${second.baseUrl}\n`);
    const evaluated = await runMain(["eval", places, "--cache", "none", "--json"], { cwd });
    expect(evaluated).toMatchObject({ code: 0 });
    expect(chats(first) + chats(second)).toBeGreaterThan(0);
    const examined = await runMain(["doctor", "--lm", "@lms.txt", "--json"], { cwd });
    const urls = lastLine(examined.lines).map(({ baseUrl }: { baseUrl: string }) => baseUrl);
    expect(urls).toEqual([first.baseUrl, second.baseUrl]);
  });
});
