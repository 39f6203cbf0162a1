import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { corpus, readCorpus } from "espalier/retrieval";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

async function corpusFile(content: string | Uint8Array, name = "corpus.jsonl") {
  const folder = await temporaryFolder();
  const path = join(folder.path, name);
  await writeFile(path, content);
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const rows = [
  '{"_id":"b","title":"","text":"\\nSecond."}',
  '{"id":"a","title":"First","text":"One.","url":"https://a.example","metadata":{"year":1871}}',
  "",
  '{"id":7,"title":null,"text":""}',
];
const passages = [
  { id: "7", text: "" },
  {
    id: "a",
    title: "First",
    text: "One.",
    metadata: { url: "https://a.example", year: 1871 },
  },
  { id: "b", text: "\nSecond." },
];

describe("a corpus", () => {
  it("is read from JSONL, BEIR's ids and further keys included, in the order of ids", async () => {
    await using file = await corpusFile(`\ufeff${rows.join("\r\n")}`);
    expect((await readCorpus(file.path)).passages).toEqual(passages);
  });

  it("is unpacked when it is packed, whatever its name", async () => {
    for (const name of ["corpus.jsonl.gz", "corpus.jsonl"]) {
      await using packed = await corpusFile(gzipSync(rows.join("\n")), name);
      expect((await readCorpus(packed.path)).passages).toEqual(passages);
      await using plain = await corpusFile(rows.join("\n"), name);
      expect((await readCorpus(plain.path)).passages).toEqual(passages);
    }
  });

  it("is read whole when characters and lines span the pieces a file comes in", async () => {
    const texts = Array.from({ length: 3_000 }, (_, index) => `${"ü🗼北".repeat(index % 90)}.`);
    const lines = texts.map((text, index) => JSON.stringify({ id: `${index}`, text }));
    await using file = await corpusFile(lines.join("\n"));
    const { passages } = await readCorpus(file.path);
    expect(passages.length).toBe(3_000);
    for (const { id, text } of passages) expect(text).toBe(texts[Number(id)]);
  });

  it("has a checksum over what passages hold, not over their order or what else objects carry", () => {
    const { checksum } = corpus(passages);
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    const ranked = passages.toReversed().map((passage) => ({ ...passage, score: 1 }));
    expect(corpus(ranked).checksum).toBe(checksum);
    expect(corpus([{ id: "7", title: "", text: "" }, ...passages.slice(1)]).checksum).toBe(
      checksum,
    );
    for (const change of [{ id: "8" }, { title: "x" }, { text: "x" }, { metadata: { x: 1 } }]) {
      const [first = { id: "", text: "" }, ...others] = passages;
      expect(corpus([{ ...first, ...change }, ...others]).checksum).not.toBe(checksum);
    }
  });

  it.each<[string, readonly string[] | Uint8Array]>([
    ["no rows", ["", "  "]],
    ["a line that is not JSON", [...rows, "{id: 1}"]],
    ["a line that is a list", ["[1]"]],
    ["no id", ['{"text":"x"}']],
    ["an empty id", ['{"id":"","text":"x"}']],
    ["two different ids", ['{"id":"a","_id":"b","text":"x"}']],
    ["an id that is a fraction", ['{"id":1.5,"text":"x"}']],
    ["no text", ['{"id":"a","title":"x"}']],
    ["a title that is a number", ['{"id":"a","title":3,"text":"x"}']],
    ["metadata that is a string", ['{"id":"a","text":"x","metadata":"y"}']],
    ["an id that is repeated", [...rows, '{"_id":"a","text":"again"}']],
    ["bytes that are not UTF-8", Uint8Array.from([0x7b, 0xff, 0x7d])],
  ])("with %s is refused with file and line", async (_, content) => {
    await using file = await corpusFile(
      content instanceof Uint8Array ? content : content.join("\n"),
    );
    const { code, message } = await thrownBy(() => readCorpus(file.path));
    expect(`${code}: ${message.replaceAll(file.path, "corpus.jsonl")}`).toMatchSnapshot();
  });

  it("that is missing, or packed and cut short, is refused", async () => {
    await using cut = await corpusFile(gzipSync(rows.join("\n")).subarray(0, 60), "cut.jsonl.gz");
    for (const [path, code] of [
      ["nowhere.jsonl", "file-missing"],
      ["test", "file-missing"],
      [cut.path, "file-malformed"],
    ] as const) {
      expect(await thrownBy(() => readCorpus(path))).toMatchObject({ code });
    }
  });

  it.each([
    ["no passages", []],
    ["an empty id", [{ id: "", text: "x" }]],
    ["repeated ids", [{ id: "a", text: "x" }, ...passages]],
  ])("of passages with %s is refused", async (_, given) => {
    const { code, message } = await thrownBy(() => corpus(given));
    expect(`${code}: ${message}`).toMatchSnapshot();
  });

  it("with a line beyond the limit is refused, packed or not", async () => {
    const maxLineBytes = 10_000;
    const content = `${rows.join("\n")}\n${"x".repeat(maxLineBytes + 1)}`;
    for (const bytes of [content, gzipSync(content), gzipSync(content.padEnd(50_000_000, "x"))]) {
      await using file = await corpusFile(bytes);
      const { code, message } = await thrownBy(() => readCorpus(file.path, { maxLineBytes }));
      expect(`${code}: ${message.replaceAll(file.path, "corpus.jsonl")}`).toBe(
        "file-malformed: A line of the file is too long (at corpus.jsonl:5). Expected: lines of at most 9.8 KiB. Got: a longer line. Check that the file has one row per line.",
      );
    }
  });

  it("stops being read when its signal fires", async () => {
    await using file = await corpusFile(rows.join("\n"));
    const reason = new Error("enough");
    const read = readCorpus(file.path, { signal: AbortSignal.abort(reason) });
    await expect(read).rejects.toBe(reason);
  });
});
