import type { Attempt, LanguageModel, LmReply, Runnable } from "espalier";
import { predict, program, signature, text } from "espalier";
import type { z } from "zod";
import type { VllmAddress } from "./server-kinds.ts";

type OneField = Runnable<{ question: string }, { field: unknown }>;

/** A program of one call that writes one field of the given type. */
export function oneStep(field: z.ZodType, maxCompletionTokens = 60): OneField {
  const input = { question: text("question") };
  const output = { field: field.describe("Something.") };
  const write = signature({ name: "write", instruction: "Write something.", input, output });
  return program({
    name: "writer",
    version: "1",
    input,
    output,
    predictors: { write: predict(write, { sampling: { maxCompletionTokens }, thinking: false }) },
    forward: (given, { predictors }) => predictors.write(given),
  }) as OneField;
}

/** How the program ends, and what the server replied. */
export async function attempted(
  program: OneField,
  lm: LanguageModel,
): Promise<{
  readonly attempt: Attempt<{ field: unknown }>;
  readonly replies: readonly LmReply[];
}> {
  const replies: LmReply[] = [];
  const recording: LanguageModel = {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const reply = await lm.doGenerate(request, options);
      replies.push(reply);
      return reply;
    },
  };
  const attempt = await program.attempt({ question: "What?" }, { lm: recording });
  return { attempt, replies };
}

/** Makes a server write some texts' tokens wherever the grammar lets it. */
export async function leaningTo(
  texts: readonly string[],
  lm: LanguageModel,
  address: VllmAddress,
): Promise<LanguageModel> {
  const ids = (await Promise.all(texts.map((text) => tokensOf(text, address)))).flat();
  const bias = Object.fromEntries(ids.map((id) => [String(id), 20]));
  return {
    identity: lm.identity,
    doGenerate: (request, options) =>
      lm.doGenerate({ ...request, extraBody: { ...request.extraBody, logit_bias: bias } }, options),
  };
}

async function tokensOf(prompt: string, { root, model, apiKey }: VllmAddress): Promise<number[]> {
  const response = await fetch(`${root}/tokenize`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, prompt, add_special_tokens: false }),
  });
  return ((await response.json()) as { readonly tokens: number[] }).tokens;
}
