import type { RunOptions } from "../../contract/index.ts";
import type { Field, Signature } from "../../signature/index.ts";
import { fieldStream } from "../call/field-stream.ts";
import type { Growth } from "../call/growth.ts";
import { growingJson } from "../call/growing-json.ts";
import { growingLines } from "../call/growing-lines.ts";
import { growthGuide } from "../call/growth-guide.ts";
import type { OutputStream } from "../call/output-stream.ts";
import { outputStreams } from "../call/output-stream.ts";
import { partialStream } from "../call/partial-stream.ts";
import type { Driver } from "../driver/driver.ts";
import type { PredictorAddress } from "./predictor.ts";

/** What a run's listeners hear of one call; `undefined` if nobody listens to it. */
export function heardOutputs(
  { path, stream }: PredictorAddress,
  { onStream, onPartial }: Pick<RunOptions, "onStream" | "onPartial">,
  {
    signature,
    driver,
    decided,
  }: {
    readonly signature: Signature;
    readonly driver: Driver;
    /** Outputs whose final value may be another than the one that the model writes. */
    readonly decided: readonly string[];
  },
): OutputStream | undefined {
  if (stream === undefined) return undefined;
  const fields = signature.fields.output;
  return outputStreams([
    stream === true || onStream === undefined
      ? undefined
      : fieldStream({ path, field: stream }, onStream),
    onPartial && partialStream(path, () => growthOf(fields, driver, new Set(decided)), onPartial),
  ]);
}

function growthOf(
  fields: readonly Field[],
  { titlesOf }: Driver,
  decided: ReadonlySet<string>,
): Growth {
  const json = growingJson(growthGuide(fields, decided));
  if (titlesOf === undefined) return json;
  const lines = growingLines(titlesOf(fields), decided);
  let chosen: Growth | undefined;
  return {
    add: (piece) => {
      chosen ??= /^\s*$/.test(piece) ? undefined : /^\s*\{/.test(piece) ? json : lines;
      chosen?.add(piece);
    },
    get changes() {
      return chosen?.changes ?? 0;
    },
    get width() {
      return chosen?.width ?? 0;
    },
    snapshot: () => (chosen ?? json).snapshot(),
  };
}
