import { AxGen, AxMockAIService, AxProgram, axDeserializeOptimizedProgram } from "@ax-llm/ax";
import { describe, expect, it } from "vitest";
import type { LmRequest } from "espalier";
import { axOptimization, compileArtifact, loadArtifact, plainMessages } from "espalier/artifact";
import { rehearsalLm } from "@espalier/rehearsal";
import { thrownBy } from "../support/thrown-by.ts";
import { candidate, compileGuide, questions, travelGuide } from "./travel-guide.ts";

const artifact = await compileGuide();

describe("plain messages", () => {
  it("are what the program sends, up to the last message, under the schema that it sends", async () => {
    const rehearsal = rehearsalLm();
    const sent: LmRequest[] = [];
    const lm: typeof rehearsal = {
      ...rehearsal,
      doGenerate: (request, options) => {
        sent.push(request);
        return rehearsal.doGenerate(request, options);
      },
    };
    const program = loadArtifact(artifact, travelGuide());
    for (const { id: exampleId, input } of questions.slice(0, 8)) {
      await program.attempt(input, { lm, exampleId });
    }
    const { predictors, parameters, notRecorded } = plainMessages(artifact);
    const schemas = new Set<string>();
    for (const { messages, responseSchema, sampling } of sent) {
      const prompt = Object.values(predictors).find(
        (one) => one.responseSchema?.name === responseSchema?.name,
      );
      schemas.add(responseSchema?.name ?? "");
      expect(messages.slice(0, -1)).toEqual(prompt?.messages);
      expect(responseSchema).toEqual(prompt?.responseSchema);
      expect(sampling).toEqual(prompt?.settings.sampling);
    }
    expect(schemas).toEqual(new Set(["answer", "judge-evidence"]));
    expect({ parameters, notRecorded }).toEqual({
      parameters: { hops: 3, tone: "plain" },
      notRecorded: [],
    });
    // The demonstration stands in them as a turn of each side.
    const roles = predictors["judge"]?.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant"]);
    const { inputs, message } = predictors["judge"]?.example ?? {};
    expect(program.render("judge", inputs ?? {}).at(-1)).toEqual(message);
  });

  it("say which predictors were never recorded", () => {
    const bare = compileArtifact({
      program: travelGuide(),
      lm: { provider: "test", model: "none" },
      samples: {},
    });
    expect(plainMessages(bare)).toMatchObject({ predictors: {}, notRecorded: ["judge", "answer"] });
  });
});

/** A reply for whatever is asked, and what was asked. */
function listening(replies: readonly string[]) {
  const systems: string[] = [];
  const turns: string[] = [];
  let asked = 0;
  const service = new AxMockAIService<any>({
    features: { functions: false, streaming: false },
    chatResponse: async (request: any) => {
      systems.push(request.chatPrompt[0].content);
      turns.push(...request.chatPrompt.slice(1, -1).map(({ content }: any) => String(content)));
      const content = replies[asked++ % replies.length] ?? "";
      return { results: [{ index: 0, content, finishReason: "stop" as const }] };
    },
  });
  return { service, systems, turns };
}

/** As ax has it: one program with both predictors below it. */
class Guide extends AxProgram<any, any> {
  readonly judge = new AxGen<any, any>(
    'question:string, traveller?:json -> label:class "answerable, unanswerable"',
  );
  readonly answer = new AxGen<any, any>("question:string, evidence:string -> answer:string");

  constructor() {
    super("question:string -> answer:string");
    this.register(this.judge as any, "judge");
    this.register(this.answer as any, "answer");
  }
}

describe("an export for ax", () => {
  it("is plain JSON, and gives a real AxGen the compiled instruction", async () => {
    const exported = axOptimization(artifact, { predictors: ["answer"] });
    expect(JSON.parse(JSON.stringify(exported))).toEqual(exported);
    const generator = new AxGen<any, any>("question:string, evidence:string -> answer:string");
    generator.setId("answer");
    const before = listening(["Answer: yes"]);
    await generator.forward(
      before.service,
      { question: "Why?", evidence: "So." },
      { stream: false },
    );
    generator.applyOptimization(axDeserializeOptimizedProgram(exported as any));
    const after = listening(["Answer: yes"]);
    await generator.forward(
      after.service,
      { question: "Why?", evidence: "So." },
      { stream: false },
    );

    // ax ends it with a full stop of its own.
    expect(after.systems[0]).toContain('Copy the sentence that answers.\n"Word for word."');
    expect(before.systems[0]).not.toContain("Copy the sentence");
    expect(
      generator.getOptimizableComponents().find(({ kind }) => kind === "instruction")?.current,
    ).toBe('Copy the sentence that answers.\n"Word for word."');
  });

  it("fits a program with children under the ids that ax gives them, demonstrations and all", async () => {
    const guide = new Guide();
    expect(guide.namedPrograms().map(({ id }) => id)).toEqual([
      "root",
      "root.judge",
      "root.answer",
    ]);
    const exported = axOptimization(artifact, { idOf: (name) => `root.${name}` });
    expect(exported.demos).toEqual([
      {
        programId: "root.judge",
        traces: [
          {
            question: "How long is the pier?",
            traveller: { name: "Bo", age: 7 },
            label: "unanswerable",
          },
        ],
      },
    ]);
    guide.applyOptimization(axDeserializeOptimizedProgram(exported as any));
    const heard = listening(["Label: answerable", "Answer: yes"]);
    await guide.judge.forward(heard.service, { question: "Why?" }, { stream: false });
    await guide.answer.forward(
      heard.service,
      { question: "Why?", evidence: "So." },
      { stream: false },
    );
    expect(heard.systems[0]).toContain("Decide whether the passages hold the answer");
    expect(heard.systems[1]).toContain("Copy the sentence that answers.");
    expect(heard.turns.join("\n")).toContain("How long is the pier?");
    expect(heard.turns.join("\n")).toContain("unanswerable");
  });

  it("leaves out demonstrations that ax would refuse, and says which", () => {
    const halves = (side: "inputs" | "outputs") => ({
      exampleId: `no-${side}`,
      // A field that is shown to have no value, of which ax knows none.
      inputs: side === "inputs" ? { traveller: null } : { question: "Where?" },
      outputs: side === "outputs" ? { label: null } : { label: "answerable" },
    });
    const { components, ...rest } = artifact.compiled;
    const value = [halves("inputs"), halves("outputs")];
    const partial = {
      ...artifact,
      compiled: {
        ...rest,
        components: components.map((component) =>
          component.kind === "demos" && component.path === "judge"
            ? { ...component, value }
            : component,
        ),
      },
    };
    const { demos, espalier } = axOptimization(partial);
    expect({ demos, leftOut: espalier.leftOut }).toEqual({
      demos: [],
      leftOut: ["no-inputs", "no-outputs"],
    });
  });

  it("names score, LM, parameters and descriptions for which ax has no place", () => {
    const { bestScore, optimizerType, espalier } = axOptimization(artifact);
    expect(bestScore).toBe(artifact.compiled.scores[0]?.value);
    expect(optimizerType).toBe("espalier");
    expect(espalier).toMatchObject({
      artifact: artifact.hash,
      lm: { model: "rehearsal" },
      parameters: { hops: 3, tone: "plain" },
      fieldDescriptions: { judge: { label: "Whether they do." } },
    });
    const [, , { value: hops }] = candidate as any;
    expect(espalier.parameters["hops"]).toBe(hops);
  });

  it("refuses a predictor that there is not", async () => {
    const error = await thrownBy(() => axOptimization(artifact, { predictors: ["guess"] }));
    expect(error.code).toBe("component-unknown");
    expect(error.message).toBe(
      'There is no predictor with this name (at program "travel-guide"). Expected: judge, answer. Got: "guess".',
    );
  });
});
