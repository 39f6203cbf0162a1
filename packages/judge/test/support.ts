import type {
  ReceivedRequest,
  ScriptedLm,
  ScriptedReply,
} from "../../../test/support/scripted-lm.ts";
import { scriptedLm } from "../../../test/support/scripted-lm.ts";

/** What a judge's predictor was asked, by the name of its schema. */
export const askedOf = ({ response_format: format }: ReceivedRequest): string =>
  format?.json_schema.name ?? "";

/** Every field shown to a judge. */
export const promptOf = ({ messages }: ReceivedRequest): string =>
  messages.map(({ content }) => content).join("\n");

/** A server that replies to each judge as the test says. */
export async function judgingLm(replies: Readonly<Record<string, unknown>>): Promise<ScriptedLm> {
  return scriptedLm((request): ScriptedReply => {
    const reply = replies[askedOf(request)];
    if (reply === undefined) throw new Error(`No reply is scripted for ${askedOf(request)}.`);
    return typeof reply === "string" ? reply : JSON.stringify(reply);
  });
}

export const passages = [
  { id: "p1", text: "The iron footbridge of Ostrel was finished in 1902." },
  { id: "p2", text: "It was paid for by the brewery." },
];
