import type { InputOf, MetricArguments, OutputOf } from "espalier";
import { metric, scored } from "espalier/metric";
import type { extract } from "./extractor.ts";

type Message = InputOf<(typeof extract)["input"]>;
export type Extracted = OutputOf<(typeof extract)["output"]>;

/** The share of fields that are right. The feedback is what reflection learns from. */
export const fieldsRight = metric({
  name: "fields-right",
  version: "1",
  score: ({ output, example }: MetricArguments<Message, Extracted, Extracted>) => {
    const wrong = wrongFields(output, example.labels);
    const count = Object.keys(example.labels).length;
    return scored(1 - wrong.length / count, wrong.join(" ") || "All fields are right.");
  },
});

/** A sentence for each field that is wrong. Letter case and an article make no difference. */
export function wrongFields(output: Extracted, labels: Extracted): readonly string[] {
  return (Object.keys(labels) as (keyof Extracted)[])
    .filter((field) => plain(output[field]) !== plain(labels[field]))
    .map(
      (field) =>
        `${field} should be ${JSON.stringify(labels[field])}, and was ${JSON.stringify(output[field])}.`,
    );
}

function plain(value: string | boolean | null): string {
  return String(value)
    .toLowerCase()
    .replace(/^(the|my|a|an) /, "");
}
