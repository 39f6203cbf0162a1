import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const rows = [
  { _id: "p1", title: "Varnholm", text: "The lighthouse of red brick\nwas finished in 1871." },
  { _id: "p2", title: "Ostrel", text: "An iron footbridge crosses the river." },
  { _id: "p3", text: "Winters are long.", url: "https://towns.example/3" },
  { _id: "p4", title: "Lighthouse", text: "A tower with a lamp." },
  { _id: "p5", text: "Nothing else." },
];

async function files() {
  const folder = await temporaryFolder();
  const corpus = join(folder.path, "corpus.jsonl");
  await writeFile(corpus, rows.map((row) => JSON.stringify(row)).join("\n"));
  return {
    corpus,
    index: join(folder.path, "deep", "index.sqlite"),
    path: (name: string) => join(folder.path, name),
    /** Output without what differs from run to run. */
    tidy: (text: string) => text.replaceAll(`${folder.path}/`, ""),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe("espalier corpus", () => {
  it("builds an index, once, and says what it holds", async () => {
    await using at = await files();
    const build = ["corpus", "build", at.corpus, "--out", at.index];
    const first = await runMain(build);
    expect(first.code).toBe(0);
    expect(at.tidy(first.stdout)).toMatchInlineSnapshot(`
      "deep/index.sqlite: 5 passages, checksum b720d2e4e1db
      "
    `);
    expect(first.stderr).toBe("passages indexed: 5/5\n");
    const again = await runMain([...build, "--json"]);
    expect(again.stderr).toBe("");
    expect(JSON.parse(again.stdout)).toMatchObject({ passages: 5, built: false });

    const shown = await runMain(["corpus", "inspect", at.index]);
    expect(at.tidy(shown.stdout)).toMatchInlineSnapshot(`
      "5 passages, 3 with a title, 25 stems, 48 KiB
      checksum b720d2e4e1db6484e546d0a0d7d9acb1a7e1c9b03fa1d3184c0f64316b70b04b
      index version 1, tokenizer porter unicode61
      metadata: url (1)

      p1  Varnholm | The lighthouse of red brick was finished in 1871.
      p2  Ostrel | An iron footbridge crosses the river.
      p3  Winters are long.
      "
    `);
    const data = await runMain(["corpus", "inspect", at.index, "--json"]);
    expect(JSON.parse(data.stdout)).toMatchObject({ size: 5, titled: 3, embeddings: [] });
  });

  it("searches an index, without the corpus it was built from", async () => {
    await using at = await files();
    const packed = at.path("corpus.jsonl.gz");
    await writeFile(packed, gzipSync(rows.map((row) => JSON.stringify(row)).join("\n")));
    await runMain(["corpus", "build", packed, "--out", at.index]);
    const search = (...args: string[]) => runMain(["corpus", "search", at.index, ...args]);
    const [plain, best, none] = await Promise.all([
      search("--query", 'lighthouses "of" bricks'),
      search("--query", "winter", "--k", "1", "--json"),
      search("--query", "???"),
    ]);
    expect(plain.stdout).toMatchInlineSnapshot(`
      "1. p1  1.9174
         Varnholm | The lighthouse of red brick was finished in 1871.
      2. p4  0.3269
         Lighthouse | A tower with a lamp.
      "
    `);
    expect(JSON.parse(best.stdout)).toEqual({
      query: "winter",
      k: 1,
      passages: [
        {
          id: "p3",
          text: "Winters are long.",
          metadata: { url: "https://towns.example/3" },
          score: expect.any(Number) as number,
        },
      ],
    });
    expect(none).toMatchObject({ code: 0, stdout: "No passages found.\n" });
  });

  it("has a page of help for each command", async () => {
    const [corpus, search] = await Promise.all([
      runMain(["corpus", "--help"]),
      runMain(["corpus", "search", "--help"]),
    ]);
    for (const command of ["build", "inspect", "search"]) expect(corpus.stdout).toContain(command);
    for (const option of ["query", "k"]) {
      expect(search.stdout).toContain(`--${option}`);
    }
  });

  it("ends bad input with exit code 2 and a sentence that says what to do", async () => {
    await using at = await files();
    await runMain(["corpus", "build", at.corpus, "--out", at.index]);
    const empty = at.path("empty.jsonl");
    await writeFile(empty, "\n");
    const malformed = at.path("malformed.jsonl");
    await writeFile(malformed, '{"id":"a","text":"x"}\n{"id":"b"}\n');
    const other = at.path("other.jsonl");
    await writeFile(other, '{"id":"a","text":"x"}\n');
    const out = ["--out", at.path("new.sqlite")];
    const cases: readonly (readonly string[])[] = [
      ["destroy"],
      ["build", at.corpus],
      ["build", empty, ...out],
      ["build", malformed, ...out],
      ["build", at.path("nowhere.jsonl"), ...out],
      ["build", other, "--out", at.index],
      ["build", at.corpus, "--out", at.corpus],
      ["inspect", at.path("nowhere.sqlite")],
      ["inspect", at.corpus],
      ["search", at.index],
      ["search", at.index, "--query", "x", "--k", "0"],
      ["search", at.index, "--query", "x", "--limit", "3"],
    ];
    const ended = await Promise.all(cases.map((args) => runMain(["corpus", ...args])));
    expect(ended.map(({ code }) => code)).toEqual(cases.map(() => 2));
    const said = ended.map(({ stderr }, index) =>
      at.tidy(`${cases[index]?.join(" ")}\n  ${stderr}`).replaceAll(/checksum \w{12}/g, "checksum"),
    );
    // oxlint-disable-next-line no-control-regex -- colours
    expect(said.join("").replaceAll(/\u001b\[\d+m/g, "")).toMatchSnapshot();
  });

  it("ends an interrupted build with one sentence and the exit code of an interrupt", async () => {
    await using at = await files();
    const many = Array.from({ length: 200_000 }, (_, id) => `{"id":"${id}","text":"a few words"}`);
    await writeFile(at.corpus, many.join("\n"));
    const running = startCli(["corpus", "build", at.corpus, "--out", at.index]);
    await running.saw("passages indexed");
    running.interrupt();
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(at.tidy(stderr).split("\n").slice(-2)).toEqual([
      "Interrupted: ending the calls in flight; press Ctrl-C again to stop at once. Run it again to build the index.",
      "",
    ]);
  });
});
