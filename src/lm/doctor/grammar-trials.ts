import type { Json, JsonObject } from "../../contract/index.ts";
import { property } from "../client/reply-values.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { supported, unknown, unsupported } from "./trial-server.ts";
import { textsOf } from "../chat/wire-texts.ts";
import { jsonOrUndefined } from "../../internal/index.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";

/** Trials of the grammar that a server makes of a JSON schema. */
export interface GrammarTrials {
  /**
   * Whether the grammar of a string with a `maxLength` has escapes: vLLM's xgrammar compiles it to
   * one without (its issue 800). The model is pushed towards the backslash as hard as the API
   * allows, so that its own taste does not matter.
   */
  readonly boundedStrings: () => Promise<Finding>;
  /** Whether it keeps white space between the tokens of JSON out, which can have no end. */
  readonly compactJson: () => Promise<Finding>;
}

/** The trials share what they learn of the model's tokens. */
export function grammarTrials(
  server: TrialServer,
  { model, quiet }: { readonly model: string; readonly quiet: JsonObject },
): GrammarTrials {
  const biasOf = tokenBias(server, model);
  return {
    boundedStrings: async () => {
      const bias = { ...(await biasOf(spaces, -100)), ...(await biasOf(["\\"], 100)) };
      const text = await constrainedText(server, { ...quiet, logit_bias: bias }, boundedText);
      if (text.includes("\\")) return supported("writes escapes inside a string of bounded length");
      return text.trimEnd().endsWith("}")
        ? unsupported("writes no escapes inside a string of bounded length: lengths are not sent")
        : unknown("was cut off before the bounded string ended: lengths are not sent");
    },
    compactJson: async () => {
      const bias = await biasOf([" ", "\n"], 100);
      const text = await constrainedText(server, { ...quiet, logit_bias: bias }, oneWord);
      return /\s{8}/.test(text)
        ? unsupported("allows endless white space between JSON tokens")
        : supported("does not allow endless white space between JSON tokens");
    },
  };
}

const boundedText: JsonObject = { type: "string", maxLength: 8 };
const oneWord: JsonObject = { type: "string", enum: ["quokka"] };
const spaces = [1, 2, 4, 8].flatMap((count) => [" ", "\n"].map((one) => one.repeat(count)));

async function constrainedText(
  server: TrialServer,
  keys: JsonObject,
  field: JsonObject,
): Promise<string> {
  const reply = await constrainedReply(server, keys, field);
  return textsOf(reply.choices[0].message).content ?? "";
}

/** Room for white space, which a grammar may let through, and for words of many tokens. */
async function constrainedReply(
  server: TrialServer,
  keys: JsonObject,
  field: JsonObject,
): Promise<ChatEnvelope> {
  return server.chat({
    max_completion_tokens: 48,
    ...keys,
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "one_text",
        strict: true,
        schema: {
          type: "object",
          properties: { text: field },
          required: ["text"],
          additionalProperties: false,
        },
      },
    },
  });
}

/** `logit_bias` for the first token of each text; a text is looked up once. */
function tokenBias(
  server: TrialServer,
  model: string,
): (texts: readonly string[], bias: number) => Promise<Readonly<Record<string, Json>>> {
  const known = new Map<string, unknown>();
  const firstToken = async (prompt: string): Promise<unknown> => {
    if (!known.has(prompt)) {
      const reply = await server.post("//tokenize", { model, prompt, add_special_tokens: false });
      const tokens = property(reply, "tokens");
      const [first]: readonly unknown[] = Array.isArray(tokens) ? tokens : [];
      known.set(prompt, first);
    }
    return known.get(prompt);
  };
  return async (texts, bias) => {
    const biases: Record<string, Json> = {};
    for (const text of texts) {
      const token = await firstToken(text);
      if (typeof token === "number") biases[String(token)] = bias;
    }
    return biases;
  };
}

/** Words that the model has no reason to write. */
const oddWords = ["quokka-9", "zebra-7"];

/** `response_format` with a schema whose only values are words that the prompt does not ask for. */
export async function tryJsonSchema(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const field = { type: "string", enum: oddWords };
  const reply = await constrainedReply(server, quiet, field);
  const allowed = oddWords.map((text) => JSON.stringify({ text }));
  return constrained(reply, property(jsonOrUndefined(textOf(reply)), "text"), allowed);
}

/** vLLM's `structured_outputs.choice`, which replaced `guided_choice` in 0.12. */
export async function tryChoice(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const reply = await server.chat({ ...quiet, structured_outputs: { choice: oddWords } });
  return constrained(reply, textOf(reply), oddWords);
}

/**
 * A reply that was cut off, as a model that will not end writes it, still shows whether it was
 * constrained: by what it began with.
 *
 * @param allowed what a constrained reply is, but for white space
 */
function constrained(reply: ChatEnvelope, word: unknown, allowed: readonly string[]): Finding {
  if (typeof word === "string" && oddWords.includes(word)) {
    return supported(`wrote "${word}", which the prompt does not ask for`);
  }
  const [{ finish_reason: reason, message }] = reply.choices;
  const text = textsOf(message).content ?? "";
  const begun = text.replaceAll(/\s/g, "");
  const possible = allowed.filter((whole) => whole.startsWith(begun));
  if (reason === "length" && possible.length === 1) {
    return supported(`began to write ${possible[0]}, which the prompt does not ask for`);
  }
  if (reason === "length" && possible.length > 1)
    return unknown("the reply was cut off before the constrained text ended");
  return unsupported(`ignored with status 200: wrote ${JSON.stringify(text.slice(0, 30))}`);
}

const textOf = (reply: ChatEnvelope): string =>
  (textsOf(reply.choices[0].message).content ?? "").trim();
