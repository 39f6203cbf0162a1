import type { JsonObject } from "../../contract/index.ts";
import { jsonOrUndefined } from "../../internal/index.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";
import { textsOf } from "../chat/wire-texts.ts";
import { property } from "../client/property.ts";
import type { Finding } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { supported, unknown, unsupported } from "./trial-server.ts";

/** Words that the model has no reason to write. */
const oddWords = ["quokka-9", "zebra-7"];

/** `response_format` with a schema whose only values are words that the prompt does not ask for. */
export async function tryJsonSchema(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const reply = await server.chat({
    ...quiet,
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "odd_word",
        strict: true,
        schema: {
          type: "object",
          properties: { word: { type: "string", enum: oddWords } },
          required: ["word"],
          additionalProperties: false,
        },
      },
    },
  });
  return constrained(reply, property(jsonOrUndefined(textOf(reply)), "word"));
}

/** vLLM's `structured_outputs.choice`, which replaced `guided_choice` in 0.12. */
export async function tryChoice(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const reply = await server.chat({ ...quiet, structured_outputs: { choice: oddWords } });
  return constrained(reply, textOf(reply));
}

function constrained(reply: ChatEnvelope, word: unknown): Finding {
  if (typeof word === "string" && oddWords.includes(word)) {
    return supported(`wrote "${word}", which the prompt does not ask for`);
  }
  const [{ finish_reason: reason, message }] = reply.choices;
  const text = textsOf(message).content ?? "";
  if (reason === "length")
    return unknown("the reply was cut off before the constrained text ended");
  return unsupported(`ignored with status 200: wrote ${JSON.stringify(text.slice(0, 30))}`);
}

const textOf = (reply: ChatEnvelope): string =>
  (textsOf(reply.choices[0].message).content ?? "").trim();
