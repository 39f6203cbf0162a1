import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { rehearsalLm, serveRehearsal } from "@espalier/rehearsal";
import { recordedReplies } from "espalier/optimizer";
import { runLock } from "../../src/optimizer/run-folder/index.ts";
import { until } from "../lm/requests.ts";
import { gateClock } from "../support/gate-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import { decisionsIn } from "../support/journal.ts";

const repository = resolve(import.meta.dirname, "../..");

/** A process that runs a few lines; it is gone, if need be by force, when its block is left. */
function processOf(code: string) {
  const child = spawn(
    process.execPath,
    ["--conditions=espalier:source", "--input-type=module", "--eval", code],
    { cwd: repository, stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<number | string | null>((done) =>
    child.once("close", (status, signal) => done(signal ?? status)),
  );
  let stdout = "";
  const spoke = new Promise<void>((done) => {
    child.once("close", () => done());
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      done();
    });
  });
  return {
    pid: child.pid,
    /** Resolves with its first words, or its end. */
    spoke,
    ended,
    stdout: () => stdout.trim(),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const lockModule = JSON.stringify(resolve(repository, "src/optimizer/run-folder/run-folder.ts"));

/** Takes the lock, says so, and stays. */
const holder = (folder: string): string => `
  import { runLock } from ${lockModule};
  globalThis.lock = runLock(${JSON.stringify(folder)});
  console.log("held");
  setInterval(() => {}, 1_000);`;

/** Takes the lock if it can, says whether, and stays until it is killed. */
const contender = (folder: string): string => `
  import { runLock } from ${lockModule};
  try {
    globalThis.lock = runLock(${JSON.stringify(folder)});
    console.log("held");
  } catch (error) {
    console.log(error.code);
  }
  setInterval(() => {}, 1_000);`;

function optimizing(runFolder: string, url: string, isResumed: boolean): string {
  return `
    import { openAiCompatible } from "espalier/lm";
    import { gepa, optimize } from "espalier/optimizer";
    const { placeStudy } = await import(${JSON.stringify(resolve(repository, "test/optimizer/support/place-search.ts"))});
    try {
      const { best } = await optimize(placeStudy, {
        optimizer: gepa(),
        budget: { metricCalls: 60 },
        lm: openAiCompatible({ baseUrl: ${JSON.stringify(`${url}/v1`)}, model: "rehearsal" }),
        runFolder: ${JSON.stringify(runFolder)},
        resume: ${isResumed},
      });
      console.log("value " + best.selection.value);
    } catch (error) {
      console.log(error.code);
    }`;
}

describe("the lock of a run's folder", () => {
  it("is held by one process, named to whoever else wants it, and free after a kill", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "deep", "run");
    await using first = processOf(holder(path));
    await first.spoke;
    const { code, message } = await thrownBy(() => runLock(path));
    expect(`${code}: ${message.replace(path, "FOLDER")}`).toBe(
      "run-locked: Another process is writing to the run's folder (at FOLDER). " +
        `Expected: one process at a time. Got: process ${first.pid} on ${hostname()}, which is still running. ` +
        "Wait for it or stop it, then resume the run; or choose another folder.",
    );
    first.kill("SIGKILL");
    expect(await first.ended).toBe("SIGKILL");
    runLock(path)[Symbol.dispose]();
  });

  it("is held by one of many processes that want it at once", async () => {
    await using folder = await temporaryFolder();
    await using all = new AsyncDisposableStack();
    const contenders = Array.from({ length: 5 }, () => all.use(processOf(contender(folder.path))));
    await Promise.all(contenders.map(({ spoke }) => spoke));
    const outcomes = contenders.map(({ stdout }) => stdout()).toSorted();
    expect(outcomes).toEqual(["held", ...Array<string>(4).fill("run-locked")]);
  });

  it("excludes a second holder in the same process too, until the first lets go", async () => {
    await using folder = await temporaryFolder();
    const first = runLock(folder.path);
    expect((await thrownBy(() => runLock(folder.path))).code).toBe("run-locked");
    // The one that was refused must not have freed it.
    expect((await thrownBy(() => runLock(folder.path))).code).toBe("run-locked");
    first[Symbol.dispose]();
    runLock(folder.path)[Symbol.dispose]();
  });

  it("is refused with what to do where the file is no lock", async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, "run.lock"), "This is no database, by no means. ".repeat(40));
    const error = await thrownBy(() => runLock(folder.path));
    expect(error).toMatchObject({ code: "run-locked" });
    expect(error.message).toContain("file is not a database");
    expect(error.message).toContain(
      "if `run.lock` is broken, make sure that no process is using the run",
    );
  });
});

describe("a run with a folder", () => {
  it("is refused to a second process while the first works, and leaves the first unharmed", async () => {
    await using folder = await temporaryFolder();
    const clock = gateClock(20);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using quick = await serveRehearsal();
    await using undisturbed = processOf(optimizing(join(folder.path, "alone"), quick.url, false));
    await undisturbed.ended;

    const path = join(folder.path, "shared");
    await using first = processOf(optimizing(path, server.url, false));
    await until(() => server.calls().total > 10);
    // Alive, but it gets no further while the others try.
    first.kill("SIGSTOP");
    for (const isResumed of [true, false]) {
      await using second = processOf(optimizing(path, quick.url, isResumed));
      expect(await second.ended).toBe(0);
      expect(second.stdout()).toBe("run-locked");
    }
    first.kill("SIGCONT");
    clock.release();
    await first.ended;
    expect(first.stdout()).toBe(undisturbed.stdout());
    expect(first.stdout()).toMatch(/^value [\d.]+$/);
    expect(decisionsIn(path)).toBe(decisionsIn(join(folder.path, "alone")));
  });

  it("is resumed by another process at once after a SIGKILL", async () => {
    await using folder = await temporaryFolder();
    const clock = gateClock(30);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    const path = join(folder.path, "run");
    await using first = processOf(optimizing(path, server.url, false));
    await until(() => server.calls().total > 20);
    first.kill("SIGKILL");
    clock.release();
    // Not waiting for its end: the lock is given back as the process goes.
    await using second = processOf(optimizing(path, server.url, true));
    expect(await second.ended).toBe(0);
    expect(await first.ended).toBe("SIGKILL");
    expect(second.stdout()).toMatch(/^value [\d.]+$/);
  });

  it("is free again after a run that failed, and unmarked by a resumption of nothing", async () => {
    await using folder = await temporaryFolder();
    const runFolder = join(folder.path, "run");
    expect((await thrownBy(() => runPlaces({ runFolder, resume: true }))).code).toBe(
      "file-missing",
    );
    expect(existsSync(runFolder)).toBe(false);
    const reason = new Error("enough");
    const aborted = runPlaces({ runFolder, signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    const resumed = await runPlaces({ runFolder, resume: true });
    expect(compiledPart(resumed)).toEqual(compiledPart(await runPlaces()));
    const again = await thrownBy(() => runPlaces({ runFolder }));
    expect(again.code).toBe("journal-mismatch");
    runLock(runFolder)[Symbol.dispose]();
  });

  it("shares its lock with the replies of its report", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "report.jsonl");
    const replies = recordedReplies(rehearsalLm(), path);
    const refused = await thrownBy(() => runPlaces({ runFolder: folder.path }));
    expect(refused.code).toBe("run-locked");
    replies[Symbol.dispose]();
    await writeFile(path, '{"a":\n{"b":1}\n');
    const broken = await thrownBy(() => recordedReplies(rehearsalLm(), path));
    expect(broken.code).toBe("file-malformed");
    runLock(folder.path)[Symbol.dispose]();
  });
});
