import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { complexityQuestions } from "../../trainsets/complexity-questions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const numbered = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index));

/** Rows of our own writing, in the publishers' formats. */
async function published(folder: string) {
  const place = (name: string) => join(folder, name);
  const files = {
    deep: place("msmarco-test2019-queries.tsv.gz"),
    open: place("NQ-open.train.jsonl"),
    nq: place("simplified-nq-train.jsonl"),
    researchy: place("researchy_questions.train.jsonl"),
    rag: place("trec_rag_2025_queries.jsonl"),
    topics: place("topics.rag24.test.txt"),
  };
  const deep = numbered(20, (index) => `${1000 + index}\thow tall is tower ${index}\n`).join("");
  await writeFile(files.deep, gzipSync(deep));
  await writeFile(files.open, lines([{ question: "who built the mill", answer: ["Ada"] }]));
  const page = { example_id: 7, document_text: "A page ." };
  await writeFile(files.nq, lines([{ ...page, question_text: "where is the mill" }]));
  const asked = numbered(20, (index) => `why did town ${index} decline, and who gained?`);
  const scored = { decompositional_score: 0.7, nonfactoid_score: 1 };
  await writeFile(
    files.researchy,
    lines(asked.map((question, index) => ({ id: String(index), question, ...scored }))),
  );
  await writeFile(
    files.rag,
    lines([{ id: "14", title: "I want to know how floods shape towns." }]),
  );
  await writeFile(files.topics, "2024-1\tcauses and effects of the great flood\r\n");
  return files;
}

describe("questions for R2RAG's classifier", () => {
  test("are read from each publisher's format and labelled by their file; a fifth or so is held out", async () => {
    await using folder = await temporaryFolder();
    const { deep, open, nq, researchy, rag, topics } = await published(folder.path);
    const { train, heldOut, ...left } = await complexityQuestions({
      simple: [deep, open, nq],
      complex: [researchy, rag, topics],
    });
    expect(left).toEqual({ repeated: 0, contradicted: 0 });
    const all = [...train, ...heldOut];
    expect(Map.groupBy(all, ({ source }) => source)).toMatchObject({ size: 6 });
    expect(all).toHaveLength(44);
    expect(heldOut.length).toBeGreaterThan(2);
    expect(heldOut.length).toBeLessThan(18);
    expect(all.find(({ question }) => question === "where is the mill")?.isComplex).toBe(false);
    expect(all.find(({ source }) => source === rag)).toMatchObject({
      question: "I want to know how floods shape towns.",
      isComplex: true,
    });
    expect(all.find(({ source }) => source === topics)?.question).toBe(
      "causes and effects of the great flood",
    );
  });

  test("count once by their wording, not at all if two files contradict, and keep the steps of a question together", async () => {
    await using folder = await temporaryFolder();
    const [simple, complex] = [join(folder.path, "a.jsonl"), join(folder.path, "b.jsonl")];
    const ids = numbered(40, (index) => `2hop__${index}`);
    await writeFile(
      simple,
      lines([
        ...ids.flatMap((id) => [
          { id: `${id}#1`, question: `Who made ${id}?` },
          { id: `${id}#2`, question: `When was the maker of ${id} born?` },
        ]),
        { question: "who made 2HOP__0" },
        { question: "Is it both?" },
      ]),
    );
    await writeFile(
      complex,
      lines([
        ...ids.map((id) => ({ id, question: `When was whoever made ${id} born?` })),
        { question: "is it  both" },
      ]),
    );
    const made = await complexityQuestions({ simple: [simple], complex: [complex] });
    expect(made).toMatchObject({ repeated: 1, contradicted: 1 });
    const { train, heldOut } = made;
    expect(train.length + heldOut.length).toBe(120);
    const numbersIn = (rows: typeof train) =>
      new Set(rows.map(({ question }) => /2hop__\d+/.exec(question)?.[0]));
    expect(numbersIn(train).intersection(numbersIn(heldOut))).toEqual(new Set());
    expect(numbersIn(heldOut).size * 3).toBe(heldOut.length);
  });

  test("with a malformed line, or all of one kind, are refused", async () => {
    await using folder = await temporaryFolder();
    const { deep, open } = await published(folder.path);
    const bad = join(folder.path, "bad.tsv");
    await writeFile(bad, "1\twho built it\nwho paid for it\n");
    const line = await thrownBy(() => complexityQuestions({ simple: [bad], complex: [open] }));
    expect(line).toMatchObject({ code: "file-malformed" });
    expect(line.message).toContain("bad.tsv:2");
    await writeFile(join(folder.path, "bad.jsonl"), lines([{ text: "who built it" }]));
    const field = await thrownBy(() =>
      complexityQuestions({ simple: [join(folder.path, "bad.jsonl")], complex: [open] }),
    );
    expect(field.message).toContain("question, question_text, query, title");
    const one = await thrownBy(() => complexityQuestions({ simple: [deep], complex: [] }));
    expect(one.code).toBe("dataset-invalid");
    expect(one.message).toContain("simple, 0 complex");
  });
});
