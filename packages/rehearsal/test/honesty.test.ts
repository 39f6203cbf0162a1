import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { LanguageModel, LmRequest } from "../../../src/contract/index.ts";
import { rehearsalLm } from "../src/index.ts";
import type { ShownInput } from "./support/prompts.ts";
import { taskRequest } from "./support/prompts.ts";
import { queryRequest, retrievalTask } from "./support/retrieval-task.ts";

const root = join(import.meta.dirname, "../../..");
const sources = filesIn(join(root, "packages/rehearsal/src"), ".ts").map((path) => ({
  path,
  text: readFileSync(path, "utf8"),
}));

describe("the rehearsal LM", () => {
  it("is given requests and nothing else", () => {
    expectTypeOf<Parameters<LanguageModel["doGenerate"]>[0]>().toEqualTypeOf<LmRequest>();
    expectTypeOf<Parameters<typeof rehearsalLm>[0]>().toExtend<
      { readonly model?: string; readonly clock?: object } | undefined
    >();
  });

  it("imports nothing of the framework but internal helpers, errors and contract types", () => {
    const imports = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from|import) "([^"]+)"/g)].map(([, specifier = ""]) =>
        specifier.startsWith(".") ? relative(root, resolve(path, "..", specifier)) : specifier,
      ),
    );
    const allowed =
      /^(?:packages\/rehearsal\/src\/|src\/(?:internal|errors|contract)\/index\.ts$|node:)/;

    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter((specifier) => !allowed.test(specifier))).toEqual([]);
  });

  it("names no benchmark, collection, system, signature, program or trainset", () => {
    const benchmarks =
      "mtrag clapnq fiqa govt hotpotqa musique 2wiki squad triviaqa hanrag r2rag rag ceia ails ntua".split(
        " ",
      );
    const shipped = ["signatures", "programs", "trainsets"].flatMap((folder) =>
      filesIn(join(root, folder), ".ts").flatMap((path) => namesIn(readFileSync(path, "utf8"))),
    );
    const found = sources.flatMap(({ path, text }) =>
      [...benchmarks, ...shipped]
        .filter((name) => mentions(text, name))
        .map((name) => `${path}: ${name}`),
    );

    expect(found).toEqual([]);
  });

  it("answers the same request with the same reply", async () => {
    const [talk] = retrievalTask().cases;
    const request = { ...queryRequest("Use the conversation.", talk ?? fail()), topLogprobs: 2 };
    const replies = await Promise.all(
      [rehearsalLm(), rehearsalLm()].map((lm) => lm.doGenerate(request)),
    );

    expect(withoutTime(replies[0])).toEqual(withoutTime(replies[1]));
  });

  it("writes the same when fields are renamed and their descriptions kept", async () => {
    const lm = rehearsalLm();
    await fc.assert(
      fc.asyncProperty(fieldNames, async (names) => {
        const usual = await outputsOf(lm, fields({ names: usualNames }));
        const renamed = await outputsOf(lm, fields({ names }));
        expect(renamed).toEqual(usual);
      }),
      { numRuns: 30 },
    );
  });

  it("writes the same, renamed, when words of the subject are renamed", async () => {
    const lm = rehearsalLm();
    await fc.assert(
      fc.asyncProperty(subjectWords, async (words) => {
        const rename = (text: string): string =>
          Object.entries(words).reduce(
            (renamed, [word, other]) => renamed.replaceAll(new RegExp(`\\b${word}\\b`, "g"), other),
            text,
          );
        const usual = await outputsOf(lm, fields({ names: usualNames }));
        const renamed = await outputsOf(lm, fields({ names: usualNames, rename }));
        expect(renamed).toEqual(usual.map(rename));
      }),
      { numRuns: 30 },
    );
  });
});

const usualNames = {
  question: "Question",
  history: "History",
  documents: "Documents",
  query: "query",
  notes: "findings",
  label: "label",
};

const fieldNames = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{4,9}$/), { minLength: 6, maxLength: 6 })
  .map((names): typeof usualNames => ({
    question: `Q${names[0]}`,
    history: `H${names[1]}`,
    documents: `D${names[2]}`,
    query: names[3] ?? "",
    notes: names[4] ?? "",
    label: names[5] ?? "",
  }));

/** New words that are neither English nor alike: stems that merge would change overlaps. */
const subjectWords = fc
  .uniqueArray(fc.stringMatching(/^[b-dfgj-np-rtvwxz]{2}[ao][b-dfgj-np-rtvwxz]{2}[ao]$/), {
    minLength: 4,
    maxLength: 4,
  })
  .map((words): Record<string, string> => ({
    Norvik: capital(words[0] ?? ""),
    ferry: words[1] ?? "",
    lantern: words[2] ?? "",
    cabin: words[3] ?? "",
  }));

function fields({
  names,
  rename = (text) => text,
}: {
  readonly names: typeof usualNames;
  readonly rename?: (text: string) => string;
}): LmRequest {
  const inputs: ShownInput[] = [
    [names.question, "The user's latest question.", rename("How much does it cost with a cabin?")],
    [
      names.history,
      "The conversation so far.",
      rename(
        "user: Is there a ferry to Norvik?\nassistant: Yes, the ferry to Norvik leaves at the lantern.",
      ),
    ],
    [
      names.documents,
      "Passages that were retrieved.",
      rename(
        "[1] Fares\nThe Norvik ferry with a cabin does cost 40. Bring a lantern.\n\n[2] Times\nIt leaves at noon.",
      ),
    ],
  ];
  return taskRequest({
    instruction: rename(
      "Use names from the conversation. Support findings by the passages, as the ferry says.",
    ),
    inputs,
    properties: {
      [names.query]: { type: "string", description: "Standalone search query." },
      [names.notes]: { type: "array", items: { type: "string" }, description: "Key findings." },
      [names.label]: {
        type: "string",
        enum: ["yes", "partly", "no"],
        description: "Whether passages answer.",
      },
    },
  });
}

async function outputsOf(lm: LanguageModel, request: LmRequest): Promise<readonly string[]> {
  const { content } = await lm.doGenerate(request);
  return Object.values(JSON.parse(content ?? "") as Record<string, string | string[]>).flat();
}

function withoutTime(reply: Awaited<ReturnType<LanguageModel["doGenerate"]>> | undefined): object {
  return { ...reply, latencyMs: 0 };
}

function filesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));
}

/**
 * Names that a file gives to what it declares, in quotation marks after `name:` or as first
 * argument.
 */
function namesIn(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /(?:\bname: |\b(?:signature|program|trainset)\(\s*(?:\{\s*name: )?)"([\w-]{4,})"/g,
    ),
  ].map(([, name]) => name ?? "");
}

/** As a whole name: `rag` is not in `paragraph`. */
function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "i").test(text);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function fail(): never {
  throw new Error("The task has no cases.");
}
