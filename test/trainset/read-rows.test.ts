import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { text } from "espalier";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readExamples, readRows } from "../../src/trainset/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, content);
  return path;
}

/** Rows without ids of their own, and the lines on which they begin. */
async function rowsOf(path: string): Promise<readonly unknown[]> {
  const rows = await readRows(path);
  return rows.map(({ row: { id: _id, ...row }, where }) => [Number(where.split(":").at(-1)), row]);
}

async function messageOf(reading: Promise<unknown>): Promise<string> {
  const { code, message } = await thrownBy(() => reading);
  return `${code}: ${message.replaceAll(`${folder.path}/`, "")}`;
}

describe("rows of CSV", () => {
  const rows = [
    [2, { question: 'Who, in "1871"?\nAnd why?', answer: "" }],
    [5, { question: " 007 ", answer: "ä" }],
    [6, { question: "last", answer: "one" }],
  ];
  const unix = 'question,answer\n"Who, in ""1871""?\nAnd why?",\n\n 007 ,ä\nlast,"one"';

  it.each([
    ["with line feeds", unix],
    ["with CRLF and a byte order mark", `\u{feff}${unix.replaceAll("\n", "\r\n")}\r\n`],
    ["with semicolons", unix.replaceAll(/(question|\?"|007 |last),/g, "$1;")],
    ["with tabs", unix.replaceAll(/(question|\?"|007 |last),/g, "$1\t")],
  ])("%s are read, with quotes, commas and line breaks in cells", async (_, content) => {
    expect(await rowsOf(await written("rows.csv", content))).toEqual(rows);
    expect(await rowsOf(await written("rows.csv.gz", gzipSync(content)))).toEqual(rows);
    expect(await rowsOf(await written("rows.tsv", content))).toEqual(rows);
  });

  it.each([
    ["a cell too few", "a,b\n1,2\n\n3\n"],
    ["a cell too many", "a,b\n1,2,3\n"],
    ["a quote that nothing closes", 'a,b\n1,2\n3,"4\n'],
    ["text after a quote", 'a,b\n1,"2"3\n'],
    ["a name that occurs twice", "a,b,a\n1,2,3\n"],
    ["a column without a name, as pandas writes its index", ",a\n0,2\n"],
    ["names alone", "a,b\n"],
    ["nothing", ""],
  ])("with %s are refused by line", async (_, content) => {
    expect(await messageOf(readRows(await written("bad.csv", content)))).toMatchSnapshot();
  });

  it("that are no UTF-8 are refused by line", async () => {
    const latin = await written("bad.csv", Buffer.from("a,b\n1,\u{e4}\n", "latin1"));
    expect(await messageOf(readRows(latin))).toContain("bad.csv:2");
  });
});

describe("a row without an id", () => {
  it("gets one from its content, wherever it stands; copies get another", async () => {
    const lines = ['{"q":"1"}', '{"q":"2"}', '{"q":"1"}', '{"q":"3","id":7}'];
    const one = await readRows(await written("one.jsonl", lines.join("\n")));
    const other = await readRows(await written("other.jsonl", lines.toReversed().join("\n")));
    const ids = (rows: typeof one) => rows.map(({ row }) => row["id"]).toSorted();
    expect(ids(one)).toEqual(ids(other));
    expect(new Set(ids(one)).size).toBe(4);
    expect(ids(one)).toContain("7");
    expect(one[2]?.row["id"]).toBe(`${String(one[0]?.row["id"])}-2`);
  });

  it("keeps it as its labels are corrected, where they are known", async () => {
    const fields = { input: { q: z.string() }, labels: { a: z.string() } };
    const idsOf = async (...lines: string[]) => {
      const path = await written("labelled.jsonl", lines.join("\n"));
      return (await readExamples(path, fields)).map(({ id }) => id);
    };
    const [id, other] = await idsOf('{"q":"1","a":"x"}', '{"q":"1","a":"y"}');
    expect(other).toBe(`${id}-2`);
    expect(await idsOf('{"q":"1","a":"z","note":1,"cluster":"c"}')).toEqual([id]);
    expect(await idsOf('{"input":{"q":"1"},"labels":{"a":"z"}}')).toEqual([id]);
  });

  it("may have null or an empty one instead, and a cluster may be a number", async () => {
    const lines = ['{"q":1}', '{"q":1,"id":"","cluster":null}', '{"q":1,"id":null,"cluster":0}'];
    const rows = await readRows(await written("absent.jsonl", lines.join("\n")));
    const id = String(rows[0]?.row["id"]);
    expect(rows.map(({ row }) => row)).toEqual([
      { id, q: 1 },
      { id: `${id}-2`, q: 1 },
      { id: `${id}-3`, q: 1, cluster: "0" },
    ]);
  });

  it.each(["id", "cluster"])("is refused where its %s is no text and no number", async (name) => {
    const path = await written("typed.jsonl", `{"q":1}\n{"q":2,"${name}":[true]}\n`);
    expect(await messageOf(readRows(path))).toBe(
      `file-malformed: The row does not have the declared shape (at typed.jsonl:2, field \`${name}\`). Expected: text or a number. Got: [true]. Correct it, or leave it out.`,
    );
  });

  it("is no row if it is no object", async () => {
    expect(await messageOf(readRows(await written("bad.jsonl", '{"q":1}\n[1]\n')))).toBe(
      "file-malformed: The row does not have the declared shape (at bad.jsonl:2). Expected: an object. Got: [1]. Correct it.",
    );
  });
});

describe("examples of flat rows", () => {
  const fields = {
    input: { question: text("question", "Asked."), year: z.number().optional() },
    labels: { answers: z.array(z.string()), isOld: z.boolean() },
  };

  it("are the same from CSV and JSONL: cells become what their fields take", async () => {
    const csv = await written(
      "flat.csv",
      'id,question,year,answers,isOld,cluster,note\na,1871,1871,"[""x"",""y""]",True,c,kept out\nb,2,,[],false,,\n',
    );
    const jsonl = await written(
      "flat.jsonl",
      '{"id":"a","question":"1871","year":1871,"answers":["x","y"],"isOld":true,"cluster":"c"}\n{"id":"b","question":"2","answers":[],"isOld":false}\n',
    );
    const examples = [
      {
        id: "a",
        input: { question: "1871", year: 1871 },
        labels: { answers: ["x", "y"], isOld: true },
        cluster: "c",
      },
      { id: "b", input: { question: "2" }, labels: { answers: [], isOld: false } },
    ];
    expect(await readExamples(csv, fields)).toEqual(examples);
    expect(await readExamples(jsonl, fields)).toEqual(examples);
  });

  it("name the line and the column of a cell that does not fit or is not there", async () => {
    const wrong = await written("bad.csv", "question,year,answers,isOld\nq,soon,[],true\n");
    const missing = await written("missing.csv", "Question,answers,isOld\nq,[],true\n");
    expect(await messageOf(readExamples(wrong, fields))).toMatchInlineSnapshot(
      `"file-malformed: The row does not have the declared shape (at bad.csv:2, field \`year\`). Expected: a number. Got: "soon". Correct it."`,
    );
    expect(await messageOf(readExamples(missing, fields))).toMatchInlineSnapshot(
      `"file-malformed: The row does not have the declared shape (at missing.csv:2, field \`question\`). Expected: a string. Got: nothing, but \`Question\`. Correct it."`,
    );
  });

  it("hold null for the cell null, and for an empty one of a field that takes null", async () => {
    const path = await written("null.csv", "q,year,note,golds\nnull,null,,\nq,,null,1\n");
    const nullable = {
      input: { q: z.string(), year: z.number().nullable(), note: z.string().nullable() },
      labels: { golds: z.number().nullable() },
    };
    const examples = await readExamples(path, nullable);
    expect(examples.map(({ input, labels }) => ({ ...input, ...labels }))).toEqual([
      { q: "null", year: null, note: null, golds: null },
      { q: "q", year: null, note: "null", golds: 1 },
    ]);
  });

  it.each(["id", "cluster"])("are refused where an input field is named `%s`", async (name) => {
    const path = await written("own.csv", `${name},answer\nq,a\n`);
    const own = { input: { [name]: z.string() }, labels: { answer: z.string() } };
    expect(await messageOf(readExamples(path, own))).toContain(
      `A flat row cannot tell the input \`${name}\` from the row's own \`${name}\` (at own.csv:2).`,
    );
  });

  it("never show a label to the program where both have one name", async () => {
    const path = await written("shared.csv", "question,answer\nq,a\n");
    const answer = z.string();
    const shared = { input: { answer }, labels: { answer } };
    expect(await messageOf(readExamples(path, shared))).toMatchInlineSnapshot(
      `"file-malformed: A flat row cannot tell the input \`answer\` from the label \`answer\` (at shared.csv:2). Expected: an object "input" and an object "labels" in each row. Got: \`id\`, \`question\`, \`answer\`. Write the rows as JSONL with these two, or rename the label."`,
    );
  });
});
