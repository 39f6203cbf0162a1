import type { ChatEvent } from "../../../model/chat-run.ts";

/** A new piece of an answer. */
export interface ContentDelta {
  readonly content: string;
  /**
   * This piece is a dividing line: everything sent before is void, and the whole answer follows.
   */
  readonly restarted?: true;
}

/**
 * A stream of OpenAI's API cannot retract text, but a reply may break off and restart. The new text
 * is therefore held back until it is longer than what was sent. If it begins with the same text, as
 * replies of one seed do, the stream continues as if nothing had happened; otherwise a dividing
 * line is sent, marked for programs and visible to people, and then the answer from its beginning.
 */
export function contentStream(send: (delta: ContentDelta) => void): {
  readonly handle: (event: Exclude<ChatEvent, { kind: "step" }>) => void;
  /** Call when the answer is complete. */
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
    handle: (event) => {
      if (event.kind === "restarted") {
        // If nothing was sent, nothing needs to be held back.
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
