import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "espalier";
import { tool } from "espalier";
import { recordedReplies } from "../../../src/optimizer/run-folder/index.ts";
import { outcomeIn, toolModel, toolRequest } from "../../../src/program/call/tool-session.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const made: string[] = [];
let answer: () => void = () => undefined;
/** About what is slow, the last call answers once `answer` is called. */
const look = (hasSideEffects: boolean) =>
  tool({
    name: "look",
    description: "Looks up a thing.",
    input: { thing: z.string() },
    hasSideEffects,
    run: ({ thing }) => {
      made.push(thing);
      if (!thing.startsWith("slow")) return thing;
      return new Promise<string>((resolve) => (answer = () => resolve(thing)));
    },
  });

const callsOf =
  (path: string, of: Tool, cap: number) =>
  async (work: (call: (thing: string) => Promise<unknown>) => Promise<void>): Promise<void> => {
    using replies = recordedReplies(rehearsalLm(), path, {
      budget: { toolCalls: cap },
      signal: new AbortController().signal,
    });
    const model = replies.wrapTool(toolModel(of));
    await work(async (thing) => {
      const request = toolRequest(of, { thing }, { callPath: thing });
      return outcomeIn(await model.doGenerate(request, { role: "tool", callPath: thing }));
    });
  };

it("counts a call in flight at a kill, and the one that repeats it, under the cap", async () => {
  await using folder = await temporaryFolder();
  made.length = 0;
  const path = join(folder.path, "report.jsonl");
  const process = callsOf(path, look(false), 4);
  await process(async (call) => {
    await call("tin");
    // On file before the tool runs; the process ends here.
    void call("slow lead");
    await expect.poll(() => made).toEqual(["tin", "slow lead"]);
    expect(readFileSync(path, "utf8").match(/"kind":"sent"/g)).toHaveLength(2);
  });
  await process(async (call) => {
    expect(await call("tin")).toEqual({ ok: true, value: "tin" });
    const slow = call("slow lead");
    await call("iron");
    answer();
    expect(await slow).toEqual({ ok: true, value: "slow lead" });
    await expect(call("gold")).rejects.toMatchObject({ code: "budget-exhausted" });
  });
  expect(made).toEqual(["tin", "slow lead", "slow lead", "iron"]);
});

it("does not count a call with side effects twice, since it is not repeated", async () => {
  await using folder = await temporaryFolder();
  made.length = 0;
  const process = callsOf(join(folder.path, "report.jsonl"), look(true), 2);
  await process(async (call) => {
    void call("slow lead");
    await expect.poll(() => made).toEqual(["slow lead"]);
  });
  await process(async (call) => {
    expect(await call("slow lead")).toMatchObject({ ok: false });
    expect(await call("tin")).toEqual({ ok: true, value: "tin" });
  });
  // The result on file is no call of the tool's.
  await process(async (call) => {
    expect(await call("slow lead")).toMatchObject({ ok: false });
    await expect(call("iron")).rejects.toMatchObject({ code: "budget-exhausted" });
  });
  expect(made).toEqual(["slow lead", "tin"]);
});
