import type { RunOptions } from "../../contract/index.ts";
import type { Signature } from "../../signature/index.ts";
import { fieldStream } from "../call/field-stream.ts";
import { growingJson } from "../call/growing-json.ts";
import { growthGuide } from "../call/growth-guide.ts";
import type { OutputStream } from "../call/output-stream.ts";
import { outputStreams } from "../call/output-stream.ts";
import { partialStream } from "../call/partial-stream.ts";
import type { PredictorAddress } from "./predictor.ts";

/** What a run's listeners hear of one call; `undefined` if nobody listens to it. */
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
