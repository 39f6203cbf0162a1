import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recordedWordings } from "../../../optimizers/support/recorded-wordings.ts";

const collections = ["clapnq", "cloud", "fiqa", "govt"] as const;

/** What a wording asks for: the word of the passage that answers, or of one that does not. */
export type AsksFor = "right" | "wrong";

/**
 * A folder with an MTRAG of one conversation of two turns for each collection, and one with
 * recorded rewrites of it. Passages have one word each, so that a wording finds one passage.
 *
 * @param asksFor by wording; the user always asks for what is wrong
 */
export async function writeRecordedTasks(
  folder: string,
  asksFor: (wording: string) => AsksFor,
): Promise<{ readonly mtrag: string; readonly recorded: string }> {
  const [mtrag, recorded] = [join(folder, "mtrag"), join(folder, "recorded")];
  for (const name of ["corpora", "qrels", "queries"]) {
    await mkdir(join(mtrag, name), { recursive: true });
  }
  await mkdir(recorded, { recursive: true });
  const word = { right: "marmot", wrong: "gannet" };
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const turnsOf = (name: string) => [1, 2].map((turn) => ({ task_id: `${name}-talk<::>${turn}` }));
  const tasks = collections.flatMap((name) =>
    turnsOf(name).map(({ task_id }, index) => ({
      task_id,
      conversation_id: `${name}-talk`,
      Collection: `mt-rag-${name}`,
      domain: name,
      input: [
        ...(index === 0
          ? []
          : [
              { speaker: "user", text: "A question before." },
              { speaker: "agent", text: "An answer." },
            ]),
        { speaker: "user", text: word.wrong },
      ],
      targets: [{ text: "An answer." }],
      contexts: [],
      answerability: ["ANSWERABLE"],
      question_type: ["Factoid"],
    })),
  );
  await writeFile(join(mtrag, "tasks.jsonl"), lines(tasks));
  for (const name of collections) {
    const passages = Object.entries(word).map(([kind, text]) => ({ _id: `${name}-${kind}`, text }));
    await writeFile(join(mtrag, "corpora", `${name}.jsonl`), lines(passages));
    const judged = turnsOf(name).map(({ task_id }) => `${task_id}\t${name}-right\t1\n`);
    const head = "query-id\tcorpus-id\tscore\n";
    await writeFile(join(mtrag, "qrels", `${name}.tsv`), head + judged.join(""));
    const human = turnsOf(name).map(({ task_id }) => ({
      _id: task_id,
      text: `|user|: ${word[asksFor("human")]}`,
    }));
    await writeFile(join(mtrag, "queries", `${name}_rewrite.jsonl`), lines(human));
  }
  const rewrites = Object.entries(recordedWordings).flatMap(([name, { strategy, model }]) =>
    tasks.map(({ task_id, domain }) => ({
      strategy,
      model,
      domain,
      task_id,
      original_query: word.wrong,
      rewritten_query: word[asksFor(name)],
    })),
  );
  await writeFile(join(recorded, "mtrag_query_rewrites.jsonl"), lines(rewrites));
  return { mtrag, recorded };
}
