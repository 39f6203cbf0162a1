import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const study = "optimizers/notes-guided.ts";

describe("espalier optimize with the notes-guided study refuses, before anything is spent,", () => {
  it("a budget smaller than one evaluation", async () => {
    const { code, stdout, stderr } = await runMain(["optimize", study, "--budget", "10"]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toMatchInlineSnapshot(`
      "espalier: budget-exhausted: The budget is smaller than one evaluation. Expected: \`metricCalls\` of at least 16, one for each of 16 examples in \`val\`, to score the program as it is by \`recall_10\`. Got: 10. Raise the budget: about ten times this minimum is useful. Nothing was spent.
      "
    `);
  });
});

describe("espalier optimize --trainset mtrag refuses", () => {
  it("a collection without a passage", async () => {
    expect(await refusal({ fiqa: "\n" })).toMatchInlineSnapshot(`
      "espalier: corpus-invalid: The corpus holds no passages (at (folder)/corpora/fiqa.jsonl). Check that the file was written or downloaded completely.
      "
    `);
  });

  it("a collection that is not there", async () => {
    expect(await refusal({ fiqa: null })).toMatchInlineSnapshot(`
      "espalier: file-missing: The MTRAG folder has no passages (at (folder)). Expected: clapnq.jsonl, cloud.jsonl, fiqa.jsonl, govt.jsonl in corpora-mini or corpora-pooled or corpora/passage_level or corpora, each may end in .gz. Unpack the collections there.
      "
    `);
  });

  it("tasks without relevance judgements", async () => {
    expect(await refusal({}, { contexts: [] })).toMatchInlineSnapshot(`
      "espalier: dataset-invalid: The MTRAG tasks have no relevance judgements, so retrieval cannot be scored (at (folder)/tasks.jsonl). Expected: qrels in qrels/*.tsv or retrieval_tasks/qrels/*.tsv or retrieval_tasks/*/qrels/*.tsv, or the relevant passages of a task in its \`contexts\`. Got: no qrels, and 1 of 1 tasks with empty \`contexts\`. Put the qrels beside the tasks, or use the tasks with reference passages.
      "
    `);
  });
});

/** What is said of a folder that is in order but for the given collections, or the tasks. */
async function refusal(
  collections: Readonly<Record<string, string | null>>,
  task: object = {},
): Promise<string> {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, "corpora"));
  const passage = JSON.stringify({ _id: "p1", title: "Bond", text: "A bond is a loan." });
  for (const name of ["clapnq", "cloud", "fiqa", "govt"]) {
    const content = name in collections ? collections[name] : passage.replace("p1", `${name}-1`);
    if (typeof content !== "string") continue;
    await writeFile(join(folder.path, "corpora", `${name}.jsonl`), content);
  }
  const row = {
    task_id: "c1<::>1",
    conversation_id: "c1",
    Collection: "fiqa",
    input: [{ speaker: "user", text: "What is a bond?" }],
    targets: [{ text: "A loan." }],
    contexts: [{ document_id: "fiqa-1" }],
    ...task,
  };
  await writeFile(join(folder.path, "tasks.jsonl"), JSON.stringify(row));
  const { code, stdout, stderr } = await runMain(["optimize", study, "--trainset", "mtrag"], {
    env: { ESPALIER_MTRAG_DIR: folder.path },
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  return stderr.replaceAll(folder.path, "(folder)");
}
