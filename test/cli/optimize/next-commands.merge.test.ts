import { execFile } from "node:child_process";
import { once } from "node:events";
import { spawn } from "node:child_process";
import { promisify } from "node:util";
import { serveRehearsal } from "@espalier/rehearsal";
import { expect, it } from "vitest";
import { espalier } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What `optimize` prints under "next", as a shell reads it. */
async function printed(study: string, options: readonly string[], run: string) {
  const { code, stdout } = await runMain(["optimize", study, "--run", run, ...options]);
  expect(code).toBe(0);
  const [, next = ""] = stdout.split("\nnext\n");
  return next.split("\n").flatMap((line) => / {2}(.*?) {2,}# /.exec(line)?.[1] ?? []);
}

async function runs(line: string): Promise<string> {
  if (!line.startsWith(`${espalier} serve `))
    return (await promisify(execFile)("sh", ["-c", line])).stdout;
  const server = spawn("sh", ["-c", `${line} --port 0`], { detached: true });
  try {
    let said = "";
    for await (const chunk of server.stdout) {
      said += String(chunk);
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address !== undefined) return await (await fetch(`${address}/v1/models`)).text();
    }
    throw new Error(`It ended: ${said}`);
  } finally {
    process.kill(-(server.pid ?? 0), "SIGINT");
    await once(server, "close");
  }
}

it("every printed command runs, also when the rehearsal server has ended", async () => {
  await using folder = await temporaryFolder();
  const run = `${folder.path}/run`;
  const options = ["--optimizer", "gepa", "--budget", "80", "--cache", "none"];
  let lines: readonly string[] = [];
  {
    await using server = await serveRehearsal();
    const lm = ["--lm", `${server.url}/v1`, "--rehearsal"];
    lines = await printed("test/cli/fixtures/places.ts", [...options, ...lm], run);
  }
  expect(lines.map((line) => line.slice(espalier.length + 1).split(" ")[0])).toEqual([
    "eval",
    "serve",
    "show",
  ]);
  const [evaluated = "", served = ""] = await Promise.all(
    lines.map((line) => runs(line.replace("report.html", `${folder.path}/report.html`))),
  );
  expect(evaluated).toContain("places: program finder 1 on test");
  expect(served).toContain("finder");
});

it("where no gain is shown, none serves the result, and each runs", async () => {
  await using folder = await temporaryFolder();
  const run = `${folder.path}/run`;
  const lines = await printed("test/cli/fixtures/few-places.ts", ["--budget", "40"], run);
  expect(lines.map((line) => line.slice(espalier.length + 1).split(" ")[0])).toEqual([
    "eval",
    "optimize",
    "show",
  ]);
  expect(lines[1]).toContain(" --budget 80 --seed 1");
  const [evaluated = "", optimized = ""] = await Promise.all(
    lines.map((line) => runs(line.replace("report.html", `${folder.path}/report.html`))),
  );
  expect(evaluated).toContain(" on val");
  expect(optimized).toContain("few-places on few-places: auto-search, seed 1\nverdict: ");
});
