import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { billedIn, readRun } from "../../src/optimizer/index.ts";
import { openJsonlFile } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";

const budget = { metricCalls: 40 };

const readThis = (runFolder: string) => () => readRun(runFolder);

describe("the replies of a run", () => {
  it("are refused when one was changed since it was written, or has lost its checksum", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder, budget });
    const path = join(runFolder, "journal.jsonl");
    const whole = await readFile(path, "utf8");
    const lines = whole.split("\n");
    const index = lines.findIndex((line) => line.startsWith('{"kind":"reply"'));
    const reply = lines[index] ?? "";
    const damaged = [
      reply.replace(/"promptTokens":(\d)/, (_, digit) => `"promptTokens":${9 - Number(digit)}`),
      reply.replace(/,"crc":"\w+"/, ""),
    ];
    for (const line of damaged) {
      expect(line).not.toBe(reply);
      await writeFile(path, lines.with(index, line).join("\n"));
      const { code, message } = await thrownBy(() =>
        runPlaces({ runFolder, budget, resume: true }),
      );
      expect(code).toBe("file-malformed");
      expect(message).toContain(`journal.jsonl:${index + 1}`);
    }
    await writeFile(path, whole);
    expect((await runPlaces({ runFolder, budget, resume: true })).seen.calls).toBe(0);
  });

  it("are refused when the last one is damaged, though only one that has no line end is torn", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const first = await runPlaces({ runFolder, budget });
    const path = join(runFolder, "journal.jsonl");
    const whole = await readFile(path);
    const places = whole.toString().split("\n").length - 1;
    const damaged = Buffer.from(whole);
    damaged[whole.length - 20] = 0;
    await writeFile(path, damaged);
    for (const read of [
      () => runPlaces({ runFolder, budget, resume: true }),
      readThis(runFolder),
    ]) {
      const { code, message } = await thrownBy(read);
      expect(code).toBe("file-malformed");
      expect(message).toContain(`journal.jsonl:${places}`);
      expect(message).toContain("If this is its last line, you can also remove it");
    }
    expect(await readFile(path)).toEqual(damaged);

    // As the message says.
    await writeFile(path, whole.subarray(0, whole.lastIndexOf("\n", whole.length - 2) + 1));
    const again = await runPlaces({ runFolder, budget, resume: true });
    expect(compiledPart(again)).toEqual(compiledPart(first));
  });

  it("are checked by whoever counts what was billed as well", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder, budget });
    const path = join(runFolder, "journal.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const index = lines.findIndex((line) => line.startsWith('{"kind":"reply"'));
    const line = (lines[index] ?? "").replace(
      /"completionTokens":\d+/,
      '"completionTokens":9999999',
    );
    await writeFile(path, lines.with(index, line).join("\n"));
    for (const read of [readThis(runFolder), () => billedIn(path)]) {
      const { code, message } = await thrownBy(read);
      expect(code).toBe("file-malformed");
      expect(message).toContain(`journal.jsonl:${index + 1}`);
      expect(message).toContain("changed after it was written");
    }
  });

  it("are not paid for twice where some behind the journal's decisions are gone", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder, budget });
    const path = join(runFolder, "journal.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const [, , gone] = lines.filter((line) => line.startsWith('{"kind":"reply"'));
    const ofRollouts = lines.filter((line) => line.startsWith('{"kind":"rollout"'));
    const lost = new Set([gone, ...ofRollouts]);
    await writeFile(path, lines.filter((line) => !lost.has(line)).join("\n"));
    let calls = 0;
    const { identity, doGenerate } = rehearsalLm();
    const lm: LanguageModel = {
      identity,
      doGenerate: (...call) => {
        calls++;
        return doGenerate(...call);
      },
    };
    const refused = await thrownBy(() => runPlaces({ runFolder, budget, resume: true, lm }));
    expect(refused.code).toBe("journal-mismatch");
    expect(refused.message).toContain("makes a call that the recorded one did not make");
    expect(calls).toBe(0);
  });
});

describe("a file of lines that cannot be written", () => {
  // `prlimit`, which makes room here, is Linux's.
  it.skipIf(process.platform !== "linux")(
    "keeps every line in order once there is room",
    async () => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, "lines.jsonl");
      const module = JSON.stringify(resolve(import.meta.dirname, "../../src/storage/index.ts"));
      // The soft limit alone is lowered, and raised again by another process when the file has
      // failed.
      const code = `
      import { execFileSync } from "node:child_process";
      import { openJsonlFile } from ${module};
      const file = openJsonlFile(${JSON.stringify(path)});
      const failed = [];
      for (let number = 0; number < 40; number++) {
        try {
          if (number % 2 === 0) file.append({ number, text: "x".repeat(100) });
          else file.appendSoon({ number, text: "x".repeat(100) });
        } catch (error) {
          failed.push(error.code);
        }
        await new Promise(setImmediate);
      }
      execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=unlimited"]);
      file.close();
      console.log(JSON.stringify(failed));`;
      const { status, stdout, stderr } = spawnSync(
        "sh",
        [
          "-c",
          'ulimit -S -f 4; exec "$@"',
          "sh",
          process.execPath,
          "--conditions=espalier:source",
          "--input-type=module",
          "--eval",
          code,
        ],
        { encoding: "utf8", env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" } },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const failed = JSON.parse(stdout) as string[];
      expect(failed.length).toBeGreaterThan(5);
      expect(new Set(failed)).toEqual(new Set(["write-failed"]));
      const file = openJsonlFile(path);
      expect(file.existing.map((line) => (line as { number: number }).number)).toEqual(
        Array.from({ length: 40 }, (_, number) => number),
      );
      file.close();
    },
  );
});
