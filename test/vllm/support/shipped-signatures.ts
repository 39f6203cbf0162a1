import type { LanguageModel, LmReply, Signature } from "espalier";
import { EspalierError, predict } from "espalier";
import * as exported from "../../../signatures/index.ts";
import type { FieldShape } from "../../../src/signature/index.ts";

/** What became of the replies to requests of the shipped signatures. */
export interface ReplyCounts {
  readonly replies: number;
  /** Replies that the token limit cut off. */
  readonly cutOff: number;
  /** Replies that are JSON and break a rule of a field, such as a length that is not sent. */
  readonly invalid: number;
  /** The message for each reply that cannot be parsed. */
  readonly unparseable: readonly string[];
}

/** Sends no seed: vLLM's CPU build can die of a seeded request with a temperature above 0. */
export const withoutSeed: typeof fetch = (url, init) => {
  if (typeof init?.body !== "string") return fetch(url, init);
  const { seed: _seed, ...body } = JSON.parse(init.body) as Record<string, unknown>;
  return fetch(url, { ...init, body: JSON.stringify(body) });
};

/** Draws replies of every shipped signature, without corrections. */
export async function drawReplies(lm: LanguageModel, draws: number): Promise<ReplyCounts> {
  let replies = 0;
  let cutOff = 0;
  let invalid = 0;
  const unparseable: string[] = [];
  const recording: LanguageModel = {
    identity: lm.identity,
    doGenerate: async (request, options): Promise<LmReply> => {
      const reply = await lm.doGenerate(request, options);
      replies++;
      return reply;
    },
  };
  const one = async (signature: Signature, draw: number): Promise<void> => {
    const predictor = predict(signature, {
      corrections: 0,
      thinking: false,
      sampling: { temperature: 1, maxCompletionTokens: 300 },
    });
    const inputs = Object.fromEntries(
      signature.fields.input.map((field) => [field.name, valueOf(field.shape)]),
    );
    try {
      await predictor.run(inputs as never, { lm: recording, seed: draw });
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error;
      if (error.code === "output-truncated") cutOff++;
      else if (error.code === "output-invalid") invalid++;
      else unparseable.push(`${signature.name}: ${error.message}`);
    }
  };
  for (let draw = 0; draw < draws; draw++) {
    await Promise.all(signatures.map((signature) => one(signature, draw)));
  }
  return { replies, cutOff, invalid, unparseable };
}

const signatures = Object.values(exported).filter(
  (value) => "fields" in value,
) as readonly unknown[] as readonly Signature[];

function valueOf(shape: FieldShape): unknown {
  switch (shape.kind) {
    case "text":
      return "Who keeps the lighthouse?";
    case "label":
      return shape.options[0];
    case "number":
      return shape.minimum ?? 0;
    case "boolean":
      return true;
    case "list":
      return [valueOf(shape.items)];
    case "object":
      return Object.fromEntries(shape.fields.map(({ name, shape: of }) => [name, valueOf(of)]));
    case "nullable":
      return valueOf(shape.of);
    case "passages":
      return [{ id: "p1", title: "Tower", text: "The keeper lights the lamp.", score: 1 }];
    case "conversation":
      return [];
    default:
      throw new Error(`No shipped signature has a ${shape.kind}.`);
  }
}
