import { fileURLToPath } from "node:url";
import type { JsonObject, LmMessage } from "espalier";
import { pythonPackage } from "../support/python-package.ts";

interface DspyField {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly options?: readonly string[];
}

export interface DspyJob {
  readonly signatures: readonly {
    readonly name: string;
    readonly instruction: string;
    readonly inputs: readonly DspyField[];
    readonly outputs: readonly DspyField[];
    readonly demos: readonly JsonObject[];
  }[];
  readonly calls: readonly { readonly predictor: string; readonly inputs: JsonObject }[];
}

const driver = fileURLToPath(new URL("dspy-prompts.py", import.meta.url));

/** Prompts from DSPy's own chat adapter, or the reason in a sentence if it is unavailable. */
export async function dspyPrompts(
  job: DspyJob,
): Promise<readonly (readonly LmMessage[])[] | string> {
  const dspy = await pythonPackage("dspy", "3.4.1");
  if (typeof dspy === "string") return dspy;
  return JSON.parse(await dspy.run(driver, JSON.stringify(job))) as (readonly LmMessage[])[];
}
