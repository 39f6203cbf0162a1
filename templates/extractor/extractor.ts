import { predict, program, signature, text } from "espalier";
import { z } from "zod";

/** What one call of the model takes and gives. It writes the outputs in their order. */
export const extract = signature({
  name: "extract",
  instruction: "Read the customer's message and write down what the help desk needs to know.",
  input: { message: text("message", "What the customer wrote.") },
  output: {
    kind: z
      .enum(["refund", "delivery", "fault", "question"])
      .describe("What the customer wants: money back, a parcel, a repair, or to know something."),
    orderNumber: z
      .string()
      .max(20)
      .nullable()
      .describe("The word of the message that begins with TK-; null where it has none."),
    product: z.string().max(60).describe("The product, as the message names it."),
    isUrgent: z.boolean().describe("Whether a day's delay would do harm."),
  },
});

export const extractor = program({
  name: "extractor",
  version: "1",
  input: extract.input,
  output: extract.output,
  predictors: { extract: predict(extract) },
  forward: (given, { predictors }) => predictors.extract(given),
});
