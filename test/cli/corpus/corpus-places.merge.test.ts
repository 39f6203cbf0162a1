import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vectorPostgres } from "../../../packages/postgres/test/support/postgres-programs.ts";
import type { PostgresServer } from "../../../packages/postgres/test/support/postgres-server.ts";
import { postgresServer } from "../../../packages/postgres/test/support/postgres-server.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const programs = await vectorPostgres();
const rows = [
  { _id: "p1", title: "Varnholm", text: "The lighthouse of red brick.", town: "Varnholm", year: 1 },
  { _id: "p2", title: "Ostrel", text: "An iron footbridge crosses the river.", town: "Ostrel" },
  { _id: "p3", text: "Winters are long." },
];
const stack = new AsyncDisposableStack();
let folder: string;
let corpus: string;
let server: PostgresServer | undefined;

beforeAll(async () => {
  folder = stack.use(await temporaryFolder()).path;
  corpus = join(folder, "corpus.jsonl");
  await writeFile(corpus, rows.map((row) => JSON.stringify(row)).join("\n"));
  if (!programs.isAbsent) server = stack.use(await postgresServer(programs.folder));
});
afterAll(() => stack.disposeAsync());

const kinds = [
  { kind: "a file", place: () => join(folder, "index.sqlite"), about: "tokenizer porter" },
  { kind: "LanceDB", place: () => `lance:${join(folder, "lance")}`, about: "LanceDB at " },
  ...(programs.isAbsent
    ? []
    : [
        {
          kind: `PostgreSQL`,
          place: () => (server?.url ?? "").replace("espalier@", "espalier:s3cret@"),
          about: "schema espalier of postgres://127.0.0.1:",
        },
      ]),
];

describe(`espalier corpus, wherever the index is${programs.note}`, () => {
  it.each(kinds)("builds, completes, inspects and searches $kind", async ({ place, about }) => {
    const build = ["corpus", "build", corpus, "--out", place()];
    const first = await runMain(build);
    expect(first.stderr).toBe("passages indexed: 3/3\n");
    expect(first.stdout).toMatch(/: 3 passages, checksum \w{12}\n$/);
    expect((await runMain(build)).stdout).toContain("already holds this corpus: 3 passages");
    const embedded = await runMain([...build, "--embed", "--rehearsal", "--json"]);
    // PostgreSQL builds a graph of near vectors, however few there are.
    expect(embedded.stderr).toMatch(/^passages embedded: 3\/3\n(?:passages linked: 3\/3\n)?$/);
    expect(JSON.parse(embedded.stdout)).toMatchObject({ passages: 3, built: true });

    const shown = await runMain(["corpus", "inspect", place()]);
    expect(shown.stdout).toMatch(/^3 passages, 2 with a title, .*(?:bytes|KiB|MiB)\n/);
    expect(shown.stdout).toContain(about);
    expect(shown.stdout).toContain("metadata: town (2), year (1)");
    expect(shown.stdout).toMatch(/vectors from \S+ \(rehearsal\): 3 passages, \d+ dimensions/);
    expect(shown.stdout).toContain("p1  Varnholm | The lighthouse of red brick.");
    const data = await runMain(["corpus", "inspect", place(), "--json"]);
    expect(JSON.parse(data.stdout)).toMatchObject({
      size: 3,
      fields: { town: 2, year: 1 },
      embeddings: [{ provider: "rehearsal", embedded: 3 }],
      examples: [{ id: "p1", metadata: { town: "Varnholm", year: 1 } }, { id: "p2" }, { id: "p3" }],
    });

    const found = await runMain(["corpus", "search", place(), "--query", "footbridges", "--json"]);
    expect(JSON.parse(found.stdout)).toMatchObject({ passages: [{ id: "p2" }] });
    const all = [first, embedded, shown, data, found];
    for (const { code, stdout, stderr } of all) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain("s3cret");
    }
  });

  it.skipIf(programs.isAbsent)("counts no table of others in the schema", async () => {
    const url = (await server?.database("shared")) ?? "";
    expect((await runMain(["corpus", "build", corpus, "--out", url])).code).toBe(0);
    const bytes = async (): Promise<unknown> => {
      const { stdout } = await runMain(["corpus", "inspect", url, "--json"]);
      return (JSON.parse(stdout) as { readonly bytes: unknown }).bytes;
    };
    const before = await bytes();
    await server?.run("CREATE TABLE espalier.other AS SELECT generate_series(1, 9999)", url);
    expect(await bytes()).toBe(before);
  });

  it.each([
    [
      "a schema of a file",
      ["inspect", "index.sqlite", "--schema", "towns"],
      "--schema applies only to PostgreSQL",
    ],
    [
      "nothing in LanceDB",
      ["inspect", "lance:nowhere"],
      "index-unusable: The location holds no complete index",
    ],
    [
      "a server that is down",
      ["inspect", "postgres://me:s3cret@127.0.0.1:1/towns"],
      "search-failed: PostgreSQL could not be reached",
    ],
    [
      "no embedder",
      ["build", "corpus.jsonl", "--out", "new.sqlite", "--embed"],
      "part-missing: The program needs an embedder",
    ],
  ])("says so of %s", async (_, words, sentence) => {
    const { code, stderr } = await runMain(["corpus", ...words], { cwd: folder });
    expect(code).not.toBe(0);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("s3cret");
  });
});
