import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { mtragSubmission } from "../../trainsets/mtrag/submission.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// Of our own writing. IBM's format_checker.py and run_retrieval_eval.py (mt-rag-benchmark at
// cc5b1d4) accept the rows of all three subtasks, and compute our figures for retrieval from them.
const folder = join(import.meta.dirname, "fixtures/mtrag-later-release");
const tasks = (await readFile(join(folder, "reference.jsonl"), "utf8"))
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Task);
const [first, second] = tasks as [Task, Task];
const found = Array.from({ length: 12 }, (_, index) => ({
  id: `p${index}`,
  text: `Text ${index}`,
}));

interface Task {
  readonly task_id: string;
  readonly conversation_id: string;
  readonly Collection: string;
  readonly input: readonly { readonly speaker: string; readonly text: string }[];
  readonly contexts: readonly { readonly document_id: string }[];
}

describe("MTRAG's submission format", () => {
  test("has the task's own fields and the ten best passages, whose scores keep their order", async () => {
    const output = { passages: found };
    const { rows, missing } = await mtragSubmission({
      folder,
      subtask: "A",
      runs: [{ exampleId: second.task_id, output }],
    });
    const { task_id, conversation_id, Collection } = second;
    const input = second.input.map(({ speaker, text }) => ({ speaker, text }));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ task_id, conversation_id, Collection, input });
    expect(rows[0]).not.toHaveProperty("predictions");
    expect(rows[0]?.contexts.map((each) => each.document_id)).toEqual(
      found.slice(0, 10).map(({ id }) => id),
    );
    const scores = rows[0]?.contexts.map(({ score }) => score) ?? [];
    expect(scores).toEqual([...new Set(scores)].toSorted((left, right) => right - left));
    expect(missing).toBe(tasks.length - 1);
  });

  test("has what the answer was written from, and the answer", async () => {
    const output = { passages: found, contexts: found.slice(0, 3), answer: "Yes." };
    const runs = [{ exampleId: first.task_id, output }];
    const { rows } = await mtragSubmission({ folder, subtask: "C", runs });
    expect(rows[0]?.contexts).toHaveLength(3);
    expect(rows[0]?.predictions).toEqual([{ text: "Yes." }]);
    const given = await mtragSubmission({ folder, subtask: "B", runs });
    expect(given.rows[0]?.contexts.map((each) => each.document_id)).toEqual(
      first.contexts.map((each) => each.document_id),
    );
  });

  test("keeps failed runs as empty predictions, in the order of the tasks", async () => {
    const runs = [{ exampleId: second.task_id }, { exampleId: first.task_id }];
    const { rows } = await mtragSubmission({ folder, subtask: "C", runs });
    expect(rows.map(({ task_id }) => task_id)).toEqual([first.task_id, second.task_id]);
    for (const { contexts, predictions } of rows) {
      expect([contexts, predictions]).toEqual([[], [{ text: "" }]]);
    }
  });

  test.each([
    ["an output without an answer", "C", { passages: found }, "fields: passages"],
    ["an output without passages", "A", { answer: "Yes." }, "fields: answer"],
    ["passages without texts", "A", { passages: [{ id: "p" }] }, "fields: passages"],
  ] as const)("rejects %s", async (_, subtask, output, got) => {
    const runs = [{ exampleId: first.task_id, output }];
    await expect(mtragSubmission({ folder, subtask, runs })).rejects.toThrow(got);
  });

  test("rejects runs on other tasks", async () => {
    const runs = [{ exampleId: "q1", output: { passages: [] } }];
    await expect(mtragSubmission({ folder, subtask: "A", runs })).rejects.toThrow("`q1`");
  });

  test("is written by a command from a result", async () => {
    await using temporary = await temporaryFolder();
    const [result, out] = ["result.json", "predictions.jsonl"].map((name) =>
      join(temporary.path, name),
    ) as [string, string];
    const study = join(import.meta.dirname, "../cli/fixtures/mtrag-retrieval.ts");
    const evaluated = await runCli(["eval", study, "--split", "test", "--out", result]);
    expect(evaluated).toMatchObject({ code: 0 });
    const words = [
      "--conditions=espalier:source",
      "--import",
      "tsx",
      "scripts/mtrag-submission.ts",
    ];
    const run = promisify(execFile)(
      process.execPath,
      [...words, result, "--subtask", "a", "--out", out],
      {
        cwd: resolve(import.meta.dirname, "../.."),
        env: { ...process.env, ESPALIER_MTRAG_DIR: folder },
      },
    );
    expect((await run).stdout).toContain(`${tasks.length} predictions in ${out}\n`);
    const [line = ""] = (await readFile(out, "utf8")).split("\n");
    const { task_id, contexts } = JSON.parse(line) as Task;
    expect([task_id, contexts.map((each) => each.document_id)]).toEqual([
      first.task_id,
      ["ferry-2", "ferry-1"],
    ]);
  });
});
