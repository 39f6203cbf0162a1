import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { benchTables } from "../../scripts/docs/bench-tables.ts";

const repository = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(repository, "docs/benchmarks.md"), "utf8");

test.each(Object.keys(benchTables))("docs/benchmarks.md has a table of bench:%s", (name) => {
  const block = new RegExp(`<!-- bench:${name}: .*? -->([^]*?)<!-- /bench:${name} -->`).exec(page);
  expect(block?.[1]?.split("\n").filter((line) => line.startsWith("| ")).length).toBeGreaterThan(3);
});

test("every bench that measures has its command on docs/benchmarks.md", () => {
  const { scripts } = JSON.parse(readFileSync(resolve(repository, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const benches = Object.keys(scripts).filter((name) => name.startsWith("bench:"));
  expect(benches.length).toBeGreaterThan(5);
  expect(benches.filter((name) => !page.includes(`npm run ${name}`))).toEqual([]);
});

test("the comment on the HTTP transport has the figures of the table", () => {
  const comment = readFileSync(resolve(repository, "src/lm/client/http-transport.ts"), "utf8");
  for (const row of ["espalier: prompt", "the bare `openai` SDK", "a raw `fetch`"]) {
    const cpu = page.split(`| ${row}`)[1]?.split("|")[1]?.trim();
    expect(comment).toContain(cpu);
  }
});

test("a table says what was measured, in the words of docs/benchmarks.md", () => {
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
