import type {
  JsonObject,
  PartialListener,
  RunOptions,
  StreamedPiece,
} from "../../contract/index.ts";
import type { Signature } from "../../signature/index.ts";
import { getOwn, saidText } from "../../internal/index.ts";
import type { Growth, GrowthGuide } from "../call/growth-guide.ts";
import { growingJson } from "../call/growing-json.ts";
import { growthGuide, isDue } from "../call/growth-guide.ts";
import type { OutputStream } from "../call/output-stream.ts";
import { outputStreams } from "../call/output-stream.ts";
import type { PredictorAddress } from "./predictor.ts";

/** What a run's listeners hear of one call; `undefined` without a listener. */
export function heardOutputs(
  { path, stream }: PredictorAddress,
  { onStream, onPartial }: Pick<RunOptions, "onStream" | "onPartial">,
  {
    signature,
    decided,
  }: {
    readonly signature: Signature;
    /** Outputs whose final value may be another than the one that the model writes. */
    readonly decided: readonly string[];
  },
): OutputStream | undefined {
  if (stream === undefined) return undefined;
  const guide = growthGuide(signature.fields.output, new Set(decided));
  return outputStreams([
    stream === true || onStream === undefined
      ? undefined
      : fieldStream({ path, field: stream }, onStream),
    onPartial && partialStream(path, () => growingJson(guide), onPartial),
  ]);
}

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

/**
 * Tells a listener of outputs as they grow, each time by a value of its own. While long lists and
 * texts are open, it skips pieces: see `isDue`.
 *
 * @param growthOf makes the reader of one reply
 */
export function partialStream(
  path: string,
  growthOf: () => Growth,
  onPartial: PartialListener,
): OutputStream {
  let growth = growthOf();
  let reported = growth.changes;
  let unread = 0;
  let isRestarted = false;
  let hasReported = false;
  const tell = (outputs: JsonObject, growing: readonly (string | number)[] | null): void => {
    hasReported = true;
    onPartial(outputs, { path, growing, ...(isRestarted && { restarted: true }) });
    isRestarted = false;
  };
  return {
    begin: () => {
      growth = growthOf();
      [reported, unread] = [growth.changes, 0];
      if (!hasReported) return;
      isRestarted = true;
      tell({}, []);
      hasReported = false;
    },
    add: ({ content = "" }) => {
      growth.add(content);
      unread += content.length;
      if (growth.changes === reported || !isDue(growth, unread)) return;
      [reported, unread] = [growth.changes, 0];
      const { value, growing } = growth.snapshot();
      tell(value, growing);
    },
    end: (outputs) => tell(outputs, null),
  };
}
