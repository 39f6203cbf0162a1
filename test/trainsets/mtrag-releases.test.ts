import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mtrag, mtragWithPassages } from "../../trainsets/mtrag/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Of our own writing, in the rows of MTRAG-UN. */
const laterRelease = join(import.meta.dirname, "fixtures/mtrag-later-release");

const header = "query-id\tcorpus-id\tscore\n";

/** A checkout of the public repository: two releases, each in its own layout. */
async function checkout(root: string): Promise<{ readonly first: string; readonly un: string }> {
  const [first, un] = [join(root, "mtrag-human"), join(root, "mtragun-human")];
  await mkdir(join(un, "generation_tasks"), { recursive: true });
  await cp(join(laterRelease, "reference.jsonl"), join(un, "generation_tasks", "reference.jsonl"));
  await cp(join(laterRelease, "qrels"), join(un, "retrieval_tasks/qrels"), { recursive: true });
  await mkdir(join(first, "generation_tasks"), { recursive: true });
  await mkdir(join(first, "retrieval_tasks/fiqa/qrels"), { recursive: true });
  await writeFile(join(first, "generation_tasks/reference.jsonl"), JSON.stringify(bond()));
  const fiqa = join(first, "retrieval_tasks/fiqa");
  await writeFile(join(fiqa, "qrels/dev.tsv"), `${header}bond<::>1\tp1\t1\n`);
  const rewrite = { _id: "bond<::>1", text: "|user|: What is a bond in finance?" };
  await writeFile(join(fiqa, "fiqa_rewrite.jsonl"), JSON.stringify(rewrite));
  return { first, un };
}

function bond(changed: object = {}) {
  return {
    task_id: "bond<::>1",
    conversation_id: "bond",
    Collection: "mt-rag-fiqa-beir-elser-512-100-20240501",
    input: [{ speaker: "user", text: "What is a bond?" }],
    targets: [{ speaker: "agent", text: "A loan." }],
    contexts: [{ document_id: "p9", text: "Bonds are loans." }],
    Answerability: ["ANSWERABLE"],
    "Question Type": ["Factoid"],
    ...changed,
  };
}

async function read(folder: string) {
  const notes: string[] = [];
  const set = await mtrag({ folder, note: (sentence) => void notes.push(sentence) });
  const { name, splits } = set;
  const { test: turns } = splits;
  const relevant = turns.map(({ id, labels }) => [id, Object.keys(labels.relevant).join(" ")]);
  return { name, turns, relevant: Object.fromEntries(relevant), notes: notes.join(" ") };
}

const unRelevant = {
  "conv-ferry<::>1": "ferry-1",
  "conv-ferry<::>2": "",
  "conv-ferry<::>3": "ferry-2",
  "conv-vault<::>1": "vault_00012-7-2197",
  "conv-rent<::>1": "20481-0-310",
  "conv-rent<::>2": "",
  "conv-well<::>1": "",
};

describe("a checkout of the public repository", () => {
  test("is read as its first release, with its qrels and rewrites, and says which it passes over", async () => {
    await using folder = await temporaryFolder();
    await checkout(folder.path);
    const { turns, relevant, notes } = await read(folder.path);
    expect(relevant).toEqual({ "bond<::>1": "p1" });
    expect(turns[0]?.labels.standalone).toBe("What is a bond in finance?");
    expect(notes).toContain("mtrag-human is read, not mtragun-human");
  });

  test("is read as either release by the name of its folder", async () => {
    await using folder = await temporaryFolder();
    const { first, un } = await checkout(folder.path);
    const read1 = await read(first);
    expect(read1.relevant).toEqual({ "bond<::>1": "p1" });
    expect(read1.turns[0]?.labels.standalone).toBe("What is a bond in finance?");
    const readUn = await read(un);
    expect([read1.name, readUn.name]).toEqual(["mtrag", "mtrag-un"]);
    expect(readUn.relevant).toEqual(unRelevant);
    expect(readUn.turns.map(({ labels }) => labels.answerability)).toEqual([
      "ANSWERABLE",
      "UNDERSPECIFIED",
      "PARTIAL",
      "ANSWERABLE",
      "ANSWERABLE",
      "UNANSWERABLE",
      "UNDERSPECIFIED",
    ]);
    for (const { notes } of [read1, readUn]) expect(notes).not.toMatch(/qrels|several/);
  });

  test("with the later release alone is read as that", async () => {
    await using folder = await temporaryFolder();
    const { first } = await checkout(folder.path);
    await rm(first, { recursive: true });
    const { relevant, notes } = await read(folder.path);
    expect(relevant).toEqual(unRelevant);
    expect(notes).not.toMatch(/qrels|several/);
    const { name, splits } = await mtragWithPassages({ folder: folder.path });
    expect(name).toBe("mtrag-un-with-passages");
    expect(splits.test[1]?.input.passages.map(({ id }) => id)).toEqual(["ferry-2", "ferry-1"]);
  });

  test("with splits beside or above the release is split by them", async () => {
    await using folder = await temporaryFolder();
    const { un } = await checkout(folder.path);
    const splits = JSON.stringify({ train: ["conv-ferry"], dev: ["bond"], test: [] });
    await writeFile(join(un, "splits.json"), splits);
    expect((await mtrag({ folder: un })).splits.train).toHaveLength(3);
    await writeFile(join(folder.path, "splits.json"), splits);
    expect((await mtrag({ folder: folder.path })).splits.val).toHaveLength(1);
  });
});

test("the later release is known by its rows as well, wherever they lie", async () => {
  await using folder = await temporaryFolder();
  await cp(laterRelease, join(folder.path, "here"), { recursive: true });
  expect((await read(join(folder.path, "here"))).name).toBe("mtrag-un");
});

test("without qrels, listed passages stand in for them aloud, but not those of underspecified turns", async () => {
  await using folder = await temporaryFolder();
  const { un } = await checkout(folder.path);
  await rm(join(un, "retrieval_tasks"), { recursive: true });
  const { relevant, notes } = await read(un);
  expect(relevant).toEqual(unRelevant);
  expect(notes).toContain("There are no qrels");
  expect(notes).toContain("4 of 7 turns are judged for retrieval");
});

test.each([
  ["banking", "banking"],
  ["Telco", "telco"],
  ["mt-rag-banking-elser-512-100-20250101", "banking"],
  ["mt-rag-ibmcloud-elser-512-100-20240502", "cloud"],
])("a turn about collection %s is labelled %s", async (Collection, label) => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "reference.jsonl"), JSON.stringify(bond({ Collection })));
  const { turns } = await read(folder.path);
  expect(turns.map(({ labels }) => labels.collection)).toEqual([label]);
});
