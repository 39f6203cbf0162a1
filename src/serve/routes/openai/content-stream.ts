import type { ChatEvent } from "../../model/chat-run.ts";

/** What is new of an answer. */
export interface ContentDelta {
  readonly content: string;
  /**
   * This piece is a dividing line: what was sent before is void, and the answer comes whole after
   * it.
   */
  readonly restarted?: true;
}

/**
 * A stream of OpenAI's API cannot take text back, while a reply may break off and be begun anew.
 * The new text is therefore held back until it is longer than what was sent. If it begins the same,
 * as replies of one seed do, the stream goes on as if nothing had been; else a dividing line is
 * sent, which is marked for programs and can be seen by people, and then the answer from its
 * beginning.
 */
export function contentStream(send: (delta: ContentDelta) => void): {
  readonly hear: (event: Exclude<ChatEvent, { kind: "step" }>) => void;
  /** The answer is whole. */
  readonly end: () => void;
} {
  let sent = "";
  let held: string | undefined;
  const startOver = (text: string): void => {
    send({ content: dividingLine, restarted: true });
    send({ content: text });
    sent = text;
    held = undefined;
  };
  return {
    hear: (event) => {
      if (event.kind === "restarted") {
        // Without anything sent there is nothing to hold back for.
        held = sent === "" ? undefined : "";
        return;
      }
      if (held === undefined) {
        sent += event.text;
        send({ content: event.text });
        return;
      }
      held += event.text;
      if (held.length > sent.length && held.startsWith(sent)) {
        send({ content: held.slice(sent.length) });
        sent = held;
        held = undefined;
      } else if (!sent.startsWith(held)) startOver(held);
    },
    end: () => {
      if (held !== undefined && held !== sent) startOver(held);
    },
  };
}

const dividingLine = "\n\n---\n\n";
