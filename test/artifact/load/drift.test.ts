import { describe, expect, it } from "vitest";
import { choice, int, jsonDriver, real, text, textOfContent } from "espalier";
import type { Driver, DriverBinding } from "espalier";
import type { ArtifactPredictor } from "espalier/artifact";
import { compileArtifact, driftSentence, loadArtifact, programDrift } from "espalier/artifact";
import { z } from "zod";
import { thrownBy } from "../../support/thrown-by.ts";
import type { Changes } from "../travel-guide.ts";
import { candidate, compileGuide, travelGuide } from "../travel-guide.ts";

const artifact = await compileGuide();

/** A driver that goes by the default's name and asks in other words. */
const louder: Driver = {
  name: "json",
  doBind: (binding: DriverBinding) => {
    const bound = jsonDriver.doBind(binding);
    return {
      ...bound,
      doRender: (inputs) =>
        bound.doRender(inputs).map((message) => ({
          ...message,
          content: textOfContent(message.content).replace("Ada", "ADA"),
        })),
    };
  },
};
const wordy: Driver = {
  name: "json",
  doBind: (binding: DriverBinding) => {
    const bound = jsonDriver.doBind(binding);
    const more = { role: "user", content: "Please." } as const;
    return { ...bound, doRender: (inputs) => [...bound.doRender(inputs), more] };
  },
};
const parameters = travelGuide().parameters;

describe("a program that has changed is refused, and what changed is named:", () => {
  it.each<[string, Changes]>([
    ["another name", { name: "city-guide" }],
    ["another version", { version: "2" }],
    ["a predictor more", { predictors: (all) => ({ ...all, rank: all["answer"] as never }) }],
    ["a predictor less", { predictors: ({ judge }) => ({ judge: judge as never }) }],
    [
      "a renamed predictor",
      { predictors: ({ judge, answer }) => ({ judge: judge as never, reply: answer as never }) },
    ],
    ["another kind of predictor", { isReasoning: true }],
    ["another signature name", { judgeSignature: "weigh-evidence" }],
    ["another declared instruction", { instruction: "Decide." }],
    ["another field description", { question: text("question", "The question.") }],
    ["another field type", { question: z.array(z.string()).describe("What is asked.") }],
    ["other labels", { labels: z.enum(["yes", "no"]) }],
    ["an input more", { extraInput: true }],
    ["inputs in another order", { isReversed: true }],
    ["another driver", { judgeOptions: { driver: { ...jsonDriver, name: "xml" } } }],
    [
      "other settings",
      {
        judgeOptions: {
          sampling: { temperature: 0.7, stop: ["."] },
          thinking: true,
          corrections: 0,
        },
      },
    ],
    ["a parameter more", { parameters: { ...parameters, k: int({ default: 1, min: 1, max: 9 }) } }],
    ["a parameter less", { parameters: { hops: parameters["hops"] as never } }],
    [
      "a parameter of another kind",
      { parameters: { ...parameters, hops: real({ default: 1, min: 1, max: 5 }) } },
    ],
    [
      "a range that excludes the value",
      { parameters: { ...parameters, hops: int({ default: 1, min: 1, max: 2 }) } },
    ],
    ["options that exclude the value", { parameters: { ...parameters, tone: choice(["warm"]) } }],
    ["another prompt", { judgeOptions: { driver: louder } }],
    ["a longer prompt", { judgeOptions: { driver: wordy } }],
    [
      "several things at once",
      { version: "2", instruction: "Decide.", judgeOptions: { corrections: 0 } },
    ],
  ])("%s", async (_, changes) => {
    const changed = travelGuide(changes);
    const { code, report } = await thrownBy(() => loadArtifact(artifact, changed));
    expect(code).toBe("artifact-drifted");
    expect(report.problem).toMatchSnapshot();
  });

  it("in the words that a text gained or lost, however long it is", async () => {
    const long = "Decide whether the passages hold the answer to the question. ".repeat(20);
    const compiled = compileArtifact({
      program: travelGuide({ instruction: `${long}Be brief.` }),
      // A text of its own in place of the declared one, which is kept beside it.
      candidate: [{ kind: "instruction", path: "judge", value: "Judge." }],
      lm: artifact.compiled.lm,
      samples: {},
    });
    const now = travelGuide({
      instruction: `${long}Be very brief.`,
      question: text("question", "What is asked, if anything."),
    });
    const expected = [
      'declared instruction of predictor "judge" gained "very"',
      '`description` of input "question" of predictor "judge" has "asked, if anything." instead of "asked."',
    ];
    expect(programDrift(compiled, now).map(driftSentence)).toEqual(expected);
    const kept = compiled.compiled.predictors["judge"] as ArtifactPredictor;
    const { instruction: _declared, ...signature } = kept.signature;
    const judge = { ...kept, signature };
    const predictors = { ...compiled.compiled.predictors, judge };
    const older = { ...compiled, compiled: { ...compiled.compiled, predictors } };
    // Some artifacts have but the hash of the instruction.
    expect(programDrift(older, now).map(driftSentence)).toEqual([
      'declared instruction of predictor "judge" changed',
      ...expected.slice(1),
    ]);
  });

  it("in an inner part of a field, by its place", () => {
    const listed = (most: number, kinds: readonly [string, ...string[]]) =>
      travelGuide({
        question: z
          .array(z.object({ kind: z.enum(kinds), words: z.string() }).strict())
          .max(most)
          .describe("What is asked."),
      });
    const made = compileArtifact({
      program: listed(3, ["spam", "other"]),
      lm: artifact.compiled.lm,
      samples: {},
    });
    expect(programDrift(made, listed(5, ["spam", "ham", "other"])).map(driftSentence)).toEqual([
      '`items.fields.kind.options` of input "question" of predictor "judge" gained "ham"',
      '`maxItems` of input "question" of predictor "judge" was 3 and is 5',
    ]);
  });

  it("with how many more, where a message has no room for all", async () => {
    const many = Array.from({ length: 40 }, (_, index): [string, ReturnType<typeof choice>] => [
      `addedParameter${index}`,
      choice(["x".repeat(500)]),
    ]);
    const changed = travelGuide({ parameters: { ...parameters, ...Object.fromEntries(many) } });
    const { message } = await thrownBy(() => loadArtifact(artifact, changed));
    const named = message.match(/addedParameter/g)?.length ?? 0;
    expect(named).toBeGreaterThan(0);
    expect(message).toContain(`; and ${40 - named} more (at artifact`);
    expect(programDrift(artifact, changed)).toHaveLength(40);
  });

  it("with where the artifact is from and what to do", async () => {
    const { message } = await thrownBy(() => loadArtifact(artifact, travelGuide({ version: "2" })));
    expect(message.replace(artifact.hash.slice(0, 12), "(hash)")).toMatchInlineSnapshot(
      `"The program differs from the compiled one: version of the program was "1" and is "2" (at artifact (hash) of program "travel-guide" 1). Recompile the program, or restore its earlier code. To use the compiled components anyway, name the study and add \`--candidate ARTIFACT\`; in code, \`program.with(artifact.compiled.components)\`."`,
    );
  });

  it("also where a recorded input does not fit any more, though its field says the same", async () => {
    const refined = (limit: number) =>
      text("question", "What is asked.").refine((asked) => asked.length < limit, {
        params: { id: "short/1" },
      });
    const [before, after] = [refined(200), refined(5)].map((question) => travelGuide({ question }));
    const made = compileArtifact({
      program: before as never,
      lm: artifact.compiled.lm,
      samples: { judge: [{ question: "How long is the pier?", passages: [] }] },
    });
    expect(programDrift(made, before as never)).toEqual([]);
    expect(programDrift(made, after as never)[0]).toMatchObject({
      what: 'prompt of predictor "judge" for recorded input 1',
      now: expect.stringContaining("do not match its fields"),
    });
  });

  it("and prompts are compared only where all that is declared is as it was", () => {
    const drift = programDrift(
      artifact,
      travelGuide({ version: "2", judgeOptions: { driver: louder } }),
    );
    expect(drift).toEqual([{ what: "version of the program", was: '"1"', now: '"2"' }]);
  });
});

describe("what is no drift:", () => {
  it.each<[string, Changes]>([
    ["the same program declared again", {}],
    [
      "a wider range",
      { parameters: { ...parameters, hops: int({ default: 2, min: 1, max: 50 }) } },
    ],
    [
      "another default",
      { parameters: { ...parameters, hops: int({ default: 5, min: 1, max: 5 }) } },
    ],
    [
      "a parameter that matters only sometimes now",
      {
        parameters: {
          hops: parameters["hops"] as never,
          tone: choice(["plain", "formal"], { when: { hops: 3 } }),
        },
      },
    ],
    [
      "other texts given to a predictor, which the artifact replaces",
      { judgeOptions: { instruction: "Guess." } },
    ],
  ])("%s", (_, changes) => {
    const program = travelGuide(changes);
    expect(programDrift(artifact, program)).toEqual([]);
    expect(loadArtifact(artifact, program).components()).toEqual(
      travelGuide().with(candidate).components(),
    );
  });
});

it("an artifact whose prompts hold a document is loaded, although all of it is checked", () => {
  const url = "data:application/pdf;base64,JVBERi0=";
  const document = { type: "file", url, mediaType: "application/pdf" } as const;
  const driver: Driver = {
    name: "json",
    doBind: (binding) => {
      const bound = jsonDriver.doBind(binding);
      const more = { role: "user", content: [document] } as const;
      return { ...bound, doRender: (inputs) => [...bound.doRender(inputs), more] };
    },
  };
  const program = travelGuide({ judgeOptions: { driver } });
  const judge = artifact.compiled.samples["judge"]?.map(({ inputs }) => inputs) ?? [];
  const { lm } = artifact.compiled;
  const compiled = compileArtifact({ program, lm, samples: { judge } });
  expect(JSON.stringify(compiled)).toContain(url);
  expect(loadArtifact(compiled, program).components()).toEqual(program.components());
});
