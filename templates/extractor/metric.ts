import { metric, scored } from "espalier/metric";
import { extract } from "./extractor.ts";

/** The share of fields that are right. The feedback is what reflection learns from. */
export const fieldsRight = metric({
  name: "fields-right",
  version: "1",
  output: extract.output,
  labels: extract.output,
  score: ({ output, example }) => {
    const wrong = wrongFields(output, example.labels);
    const count = Object.keys(example.labels).length;
    return scored(1 - wrong.length / count, wrong.join(" ") || "All fields are right.");
  },
});

/** A sentence for each field that is wrong. Letter case and an article make no difference. */
export function wrongFields(output: Fields, labels: Fields): readonly string[] {
  return Object.entries(labels)
    .filter(([field, right]) => plain(output[field]) !== plain(right))
    .map(
      ([field, right]) =>
        `${field} should be ${JSON.stringify(right)}, and was ${JSON.stringify(output[field])}.`,
    );
}

type Fields = Readonly<Record<string, unknown>>;

function plain(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replace(/^(the|my|a|an) /, "");
}
