import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalTail } from "../../../src/optimizer/files.ts";
import { replaceLines, withChecksum } from "../../../src/storage/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const head = { sequence: 0, kind: "run-start", format: "espalier-journal/5", run: {} };
const iteration = (sequence: number): object => ({
  sequence,
  kind: "iteration-start",
  iteration: 1,
});
const reply = { kind: "reply", key: "a", reply: { content: "x".repeat(100_000) } };

describe("the tail of a journal", () => {
  it("tells each decision once, whatever work comes between, and no line that is being written", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "journal.jsonl");
    const tail = journalTail(folder.path);
    expect(tail.next()).toEqual({ isAnew: false, events: [] });
    const [first, second] = [head, iteration(1)].map((line) => `${withChecksum(line)}\n`);
    writeFileSync(path, `${first}${withChecksum(reply)}\n${second?.slice(0, 20)}`);
    expect(tail.next()).toMatchObject({ isAnew: false, events: [{ kind: "run-start" }] });
    expect(tail.next().events).toEqual([]);
    appendFileSync(path, second?.slice(20) ?? "");
    expect(tail.next().events).toMatchObject([{ kind: "iteration-start" }]);
    appendFileSync(path, `${withChecksum(reply)}\n`);
    expect(tail.next()).toEqual({ isAnew: false, events: [] });
  });

  it("begins anew where the file was replaced, though it is longer", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "journal.jsonl");
    const tail = journalTail(folder.path);
    writeFileSync(path, `${withChecksum(head)}\n`);
    tail.next();
    replaceLines(path, [reply, head, iteration(1)]);
    expect(tail.next()).toMatchObject({
      isAnew: true,
      events: [{ kind: "run-start" }, { kind: "iteration-start" }],
    });
  });
});
