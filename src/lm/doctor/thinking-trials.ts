import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";
import { thinkingTemplates } from "../chat/thinking-template.ts";
import { textsOf } from "../chat/wire-texts.ts";
import type { Finding, ServerExamination } from "./server-examination.ts";
import type { TrialServer } from "./trial-server.ts";
import { supported, unknown, unsupported } from "./trial-server.ts";

export interface ThinkingFindings {
  readonly reasoning: Finding;
  readonly thinkingSwitch: Finding;
  readonly template: ServerExamination["thinkingTemplate"];
  /** Keys that keep replies short, with room for any thinking that happens anyway. */
  readonly quiet: JsonObject;
}

/** @param plain reply to the plain request, which asks neither for nor against thinking */
export async function tryThinking(
  server: TrialServer,
  plain: ChatEnvelope,
): Promise<ThinkingFindings> {
  const before = thoughtIn(plain);
  let last: ChatEnvelope = plain;
  for (const name of templateNames) {
    const keys = thinkingTemplates[name](before === null);
    const reply = await answerOr(server, keys);
    if (reply === undefined) continue;
    last = reply;
    const after = thoughtIn(reply);
    const isSwitched = (before === null) !== (after === null);
    // An effort is not a switch: all that can show is less thought that still ends.
    const isLess =
      before !== null && after !== null && isWhole(reply) && after.text.length < before.text.length;
    if (!isSwitched && !isLess) continue;
    const thinking = before ?? after;
    return {
      reasoning: reasoningIn(thinking),
      thinkingSwitch: supported(
        `${shown(thinkingTemplates[name](false))} ${isSwitched ? "turns thinking off" : "shortens thinking"}`,
      ),
      template: name,
      quiet: isSwitched
        ? thinkingTemplates[name](false)
        : { ...thinkingTemplates[name](false), ...room },
    };
  }
  if (before === null && thoughtIn(last) === null) {
    return {
      reasoning: unknown("did not think with any of the known settings"),
      thinkingSwitch: unknown("did not think with any of the known settings"),
      template: null,
      quiet: {},
    };
  }
  return {
    reasoning: reasoningIn(before),
    thinkingSwitch: unsupported("thought the same with all of the known settings"),
    template: null,
    quiet: room,
  };
}

const templateNames = Object.keys(thinkingTemplates) as (keyof typeof thinkingTemplates)[];

/** For models that cannot stop thinking. */
const room: JsonObject = { max_completion_tokens: 160 };

interface Thought {
  readonly where: "reasoning" | "reasoning_content" | "content";
  readonly text: string;
}

function thoughtIn({ choices: [{ message }] }: ChatEnvelope): Thought | null {
  const { reasoning, reasoning_content: old } = message;
  const { content } = textsOf(message);
  if (typeof reasoning === "string" && reasoning !== "") {
    return { where: "reasoning", text: reasoning };
  }
  if (typeof old === "string" && old !== "") return { where: "reasoning_content", text: old };
  // Without a parser on the server, thoughts appear in the text itself.
  const [, text] = /^\s*<think>([\s\S]*)/.exec(content ?? "") ?? [];
  const thought = text?.split("</think>")[0] ?? "";
  return thought.trim() === "" ? null : { where: "content", text: thought };
}

function reasoningIn(thought: Thought | null): Finding {
  if (thought === null) return unknown("did not think with any of the known settings");
  return thought.where === "content"
    ? unsupported("thoughts are part of the text: start the server with a reasoning parser")
    : supported(`thoughts are in \`${thought.where}\``);
}

const isWhole = ({ choices: [choice] }: ChatEnvelope): boolean => choice.finish_reason === "stop";

const shown = (keys: JsonObject): string => JSON.stringify(keys).slice(1, -1);

/** `undefined` if the server rejects the keys. */
async function answerOr(server: TrialServer, keys: JsonObject): Promise<ChatEnvelope | undefined> {
  try {
    return await server.chat(keys);
  } catch (error) {
    if (EspalierError.isInstance(error) && error.kind === "program") return undefined;
    throw error;
  }
}
