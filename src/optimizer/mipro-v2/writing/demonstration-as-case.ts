import type { PredictorDemonstration } from "../../demonstrations/index.ts";
import type { ReflectiveCase } from "../../proposal/case/reflective-cases.ts";
import { bareCase } from "./example-as-case.ts";

export function demonstrationAsCase({ demonstration }: PredictorDemonstration): ReflectiveCase {
  const { exampleId, inputs, outputs } = demonstration;
  return { ...bareCase, exampleId, inputs, outputs, feedback: "This is how it should be done." };
}
