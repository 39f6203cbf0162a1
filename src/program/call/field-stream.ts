import type { StreamedPiece } from "../../contract/index.ts";
import { getOwn, saidText } from "../../internal/index.ts";
import type { GrowthGuide } from "./growth.ts";
import { growingJson } from "./growing-json.ts";
import type { OutputStream } from "./output-stream.ts";

/**
 * Streams one text field of a reply while it is written, and keeps none of it. Once the call has
 * succeeded, the pieces since the last `begin` add up to the field's text, even after failed
 * replies.
 */
export function fieldStream(
  { path, field }: Pick<StreamedPiece, "path" | "field">,
  onStream: (piece: StreamedPiece) => void,
): OutputStream {
  const guide: GrowthGuide = { grows: false, at: (key) => (key === field ? textAlone : null) };
  let added = "";
  const reader = () => growingJson(guide, (text) => (added += text));
  let growth = reader();
  let sent = saidText();
  const send = (text: string): void => {
    if (text === "") return;
    sent.add(text);
    onStream({ path, field, text });
  };
  const begin = (): void => {
    growth = reader();
    if (sent.length === 0) return;
    sent = saidText();
    onStream({ path, field, text: "", restarted: true });
  };
  return {
    begin,
    add: ({ content = "" }) => {
      added = "";
      growth.add(content);
      send(added);
    },
    end: (outputs) => {
      const value = getOwn(outputs, field);
      const text = typeof value === "string" ? value : "";
      if (!sent.begins(text)) begin();
      send(text.slice(sent.length));
    },
  };
}

const textAlone: GrowthGuide = { grows: true, at: () => null };
