import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { billedIn, readRun } from "../../src/optimizer/index.ts";
import { openJsonlFile } from "../../src/storage/index.ts";
import { withChecksum } from "../../src/storage/whole-lines.ts";
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
    const path = join(runFolder, "work.jsonl");
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
      expect(message).toContain(`work.jsonl:${index + 1}`);
    }
    await writeFile(path, whole);
    expect((await runPlaces({ runFolder, budget, resume: true })).seen.calls).toBe(0);
  });

  it("are refused when the last one is damaged, though only one that has no line end is torn", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const first = await runPlaces({ runFolder, budget });
    const path = join(runFolder, "work.jsonl");
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
      expect(message).toContain(`work.jsonl:${places}`);
      expect(message).toContain("remove this last line");
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
    const path = join(runFolder, "work.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const index = lines.findIndex((line) => line.startsWith('{"kind":"reply"'));
    const { crc: _, ...reply } = JSON.parse(lines[index] ?? "") as { readonly crc: string };
    const changed: readonly (readonly [line: string, told: string])[] = [
      [
        (lines[index] ?? "").replace(/"completionTokens":\d+/, '"completionTokens":9999999'),
        "changed after it was written",
      ],
      [withChecksum({ ...reply, key: 5 }), "key: expected a text"],
    ];
    for (const [line, told] of changed) {
      await writeFile(path, lines.with(index, line).join("\n"));
      for (const read of [readThis(runFolder), () => billedIn(path)]) {
        const { code, message } = await thrownBy(read);
        expect(code).toBe("file-malformed");
        expect(message).toContain(`work.jsonl:${index + 1}`);
        expect(message).toContain(told);
      }
    }
  });

  it("are not paid for twice where some behind the journal's decisions are gone", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const first = await runPlaces({ runFolder, budget });
    const path = join(runFolder, "work.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    const half = Math.floor(lines.length / 2);
    await writeFile(path, `${lines.slice(0, half).join("\n")}\n`);
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
    expect(refused.message).toContain("lacks replies behind recorded decisions");
    expect(calls).toBe(0);

    // As the message says: without the journal, what is left of the replies is used.
    await rm(join(runFolder, "journal.jsonl"));
    const again = await runPlaces({ runFolder, budget, resume: true });
    expect(again.seen.calls).toBeGreaterThan(0);
    expect(again.seen.calls).toBeLessThan(first.seen.calls);
    expect(compiledPart(again)).toEqual(compiledPart(first));
  });

  it.each([
    ["missing", (path: string) => rm(path)],
    ["empty", (path: string) => writeFile(path, "")],
  ])("are asked for by name when their file is %s", async (_, damage) => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    await runPlaces({ runFolder, budget });
    await damage(join(runFolder, "work.jsonl"));
    const refused = await thrownBy(() => runPlaces({ runFolder, budget, resume: true }));
    expect(refused.code).toBe("file-missing");
    expect(refused.message).toContain("The run's replies are missing");
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
      const file = openJsonlFile(${JSON.stringify(path)}, { isChecked: true });
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
      const file = openJsonlFile(path, { isChecked: true });
      expect(file.existing.map((line) => (line as { number: number }).number)).toEqual(
        Array.from({ length: 40 }, (_, number) => number),
      );
      file.close();
    },
  );
});
