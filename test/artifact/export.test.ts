import { describe, expect, it } from "vitest";
import type { LmRequest } from "espalier";
import { compileArtifact, loadArtifact, plainMessages } from "espalier/artifact";
import { rehearsalLm } from "@espalier/rehearsal";
import { compileGuide, questions, travelGuide } from "./travel-guide.ts";

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
