import type { Example } from "./example.ts";
import type { JsonObject } from "./json.ts";

/**
 * What labels know of one predictor on one example: what it should be given, merged into its
 * inputs, or all that it should say, returned in place of a call.
 */
export type GoldPart = { readonly inputs: JsonObject } | { readonly outputs: JsonObject };

/**
 * Gold by predictor. An optimizer runs failing examples of train again with one part in its place,
 * which tells a step at fault from the steps around it. `null`: nothing is known of this example.
 */
export type Gold<TInput = unknown, TLabels = unknown> = Readonly<
  Record<string, GoldOf<TInput, TLabels>["of"]>
>;

/** A method, so that a study of any examples is a `Study`, as with its objective. */
interface GoldOf<TInput, TLabels> {
  of(example: Example<TInput, TLabels>): GoldPart | null;
}
