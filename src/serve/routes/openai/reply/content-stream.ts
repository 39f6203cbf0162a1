import type { GrowingText, SaidText } from "../../../../internal/index.ts";
import { growingText, saidText } from "../../../../internal/index.ts";
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
  let sent = saidText();
  let held: { readonly said: SaidText; readonly text: GrowingText } | undefined;
  const say = (text: string): void => {
    if (text === "") return;
    sent.add(text);
    send({ content: text });
  };
  const startOver = (text: string): void => {
    send({ content: dividingLine, restarted: true });
    [sent, held] = [saidText(), undefined];
    say(text);
  };
  const hold = ({ said, text }: NonNullable<typeof held>, piece: string): void => {
    text.add(piece);
    const shared = Math.min(piece.length, sent.length - said.length);
    said.add(piece.slice(0, shared));
    if (!said.isLike(sent)) startOver(text.text());
    else if (shared < piece.length) {
      held = undefined;
      say(piece.slice(shared));
    }
  };
  return {
    handle: (event) => {
      if (event.kind === "restarted") {
        // If nothing was sent, nothing needs to be held back.
        held = sent.length === 0 ? undefined : { said: saidText(), text: growingText() };
      } else if (held === undefined) say(event.text);
      else hold(held, event.text);
    },
    end: () => {
      if (held !== undefined && held.said.length < sent.length) startOver(held.text.text());
    },
  };
}

const dividingLine = "\n\n---\n\n";
