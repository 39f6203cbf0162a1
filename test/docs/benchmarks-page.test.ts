import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { benchTables } from "../../scripts/docs/bench-tables.ts";
import { labBook } from "../../scripts/docs/markdown.ts";

const repository = resolve(import.meta.dirname, "../..");
const book = readFileSync(resolve(repository, labBook), "utf8");

test.each(Object.keys(benchTables))("the lab book has a table of bench:%s", (name) => {
  const block = new RegExp(`<!-- bench:${name}: .*? -->([^]*?)<!-- /bench:${name} -->`).exec(book);
  expect(block?.[1]?.split("\n").filter((line) => line.startsWith("| ")).length).toBeGreaterThan(3);
});

test("docs/benchmarks.md is one page, and the lab book has each of its figures", () => {
  const page = readFileSync(resolve(repository, "docs/benchmarks.md"), "utf8");
  expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  const figuresIn = (text: string) =>
    text.replace(/\]\([^)]*\)/g, "]").match(/(?<![\w.,])-?(?:\d[\d,.]*\d|[.]\d+|\d)(?!\w)/g) ?? [];
  const measured = new Set(figuresIn(book));
  expect(figuresIn(page).length).toBeGreaterThan(100);
  expect(figuresIn(page).filter((figure) => !measured.has(figure))).toEqual([]);
});

test("every bench that measures has its command in the lab book", () => {
  const { scripts } = JSON.parse(readFileSync(resolve(repository, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const benches = Object.keys(scripts).filter((name) => name.startsWith("bench:"));
  expect(benches.length).toBeGreaterThan(5);
  expect(benches.filter((name) => !book.includes(`npm run ${name}`))).toEqual([]);
});

test("the table of optimizers shows ours beside gepa's best on test, whoever else took part", () => {
  const engine = (name: string, test: number, ahead?: number) => ({
    engine: name,
    runs: 24,
    val: test,
    test,
    texts: 9,
    ...(ahead !== undefined && { ahead: { difference: ahead, interval: { low: -1, high: 1 } } }),
  });
  const engines = [
    engine("espalier", 0.632),
    engine("gepa 0.1.4, merge", 0.3, 0.332),
    engine("gepa 0.1.4, default", 0.344, 0.288),
    engine("ax 24.0.21, repaired", 0.5, 0.132),
  ];
  const row = { shape: "a", about: "one prompt", actsOn: "one", metricCalls: 2_000, engines };
  const written = benchTables["optimizers"]?.({ rows: [row], lost: [] });
  expect(written).toContain(
    "| a | one | 2,000 | .632 | .344 default | +.288 [-1.000, 1.000], not shown |",
  );
  expect(() => benchTables["optimizers"]?.({ rows: [], lost: [] })).toThrow("--parts shapes");
});

test("the table of levers shows every engine beside miproV2()", () => {
  const engine = { runs: 15, val: 0.522, test: 0.53, texts: 10.9 };
  const ahead = { difference: 0.059, interval: { low: 0.002, high: 0.114 } };
  const engines = [
    { ...engine, engine: "espalier, miproV2" },
    { ...engine, engine: "DSPy 3.4.1, MIPROv2", ahead },
  ];
  const row = { shape: "levers-all", about: "", actsOn: "three", metricCalls: 1_000, engines };
  expect(benchTables["levers"]?.({ levers: [row] })).toContain(
    "| all | 1,000 | DSPy 3.4.1, MIPROv2 | 15 | .522 | .530 | 11 | +.059 [.002, .114] |",
  );
  expect(() => benchTables["levers"]?.({ levers: [] })).toThrow("--parts levers");
});

test("the comment on the HTTP transport has the figures of the table", () => {
  const comment = readFileSync(resolve(repository, "src/lm/client/http-transport.ts"), "utf8");
  for (const row of ["espalier: prompt", "the bare `openai` SDK", "a raw `fetch`"]) {
    const cpu = book.split(`| ${row}`)[1]?.split("|")[1]?.trim();
    expect(comment).toContain(cpu);
  }
});

test("a table says what was measured, in the words of the lab book", () => {
  const written = benchTables["overhead"]?.({
    inFlight: 32,
    cpuMs: {
      rawFetch: 0.137,
      openaiSdk: 0.214,
      espalier: 0.294,
      axGenThin: 0.32,
      axGenVllm: 0.777,
    },
    ratioToAxGen: {
      rawFetch: 0.43,
      openaiSdk: 0.67,
      espalier: 0.918,
      axGenThin: 1,
      axGenVllm: 2.43,
    },
    evaluate: { ratio: 1.0162 },
  });
  expect(written).toMatchInlineSnapshot(`
    "| what, 32 in flight | CPU per call | of AxGen's |
    | --- | --- | --- |
    | a raw \`fetch\` and \`JSON.parse\` | 0.14 ms | 0.43 |
    | the bare \`openai\` SDK | 0.21 ms | 0.67 |
    | espalier: prompt, HTTP, parse, trace, disk cache, ledger, retry, limit | 0.29 ms | **0.92** |
    | ax's \`AxGen\` over the thinnest possible service | 0.32 ms | 1.00 |
    | ax's \`AxGen\` over its own client | 0.78 ms | 2.43 |

    \`evaluate()\` took 1.016 times the list-scheduled makespan of its calls."
  `);
});
