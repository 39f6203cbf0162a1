import type { JsonObject } from "./json.ts";

/**
 * A value while it is being written. Fields may be missing, lists may be shorter, texts may be
 * beginnings; numbers, booleans and labels are complete where they are there.
 */
export type DeepPartial<TValue> = unknown extends TValue
  ? TValue
  : TValue extends string | number | boolean | null | undefined
    ? TValue
    : TValue extends readonly (infer TItem)[]
      ? readonly DeepPartial<TItem>[]
      : TValue extends object
        ? { readonly [K in keyof TValue]?: DeepPartial<TValue[K]> }
        : TValue;

/** Where partial outputs come from, and where they still grow. */
export interface PartialOrigin {
  /** Path of the predictor's call. */
  readonly path: string;
  /**
   * Keys and indices that lead to what is being written, for example `["items", 3, "name"]`; `null`
   * once the outputs are whole.
   */
  readonly growing: readonly (string | number)[] | null;
  /** Earlier outputs are void: the reply was unusable or broke off, and is requested again. */
  readonly restarted?: true;
}

/**
 * Receives outputs as they grow, each time as a new value. Must not throw. A method's type: a
 * program of known outputs is also one of unknown ones.
 */
export type PartialListener<TPartial = JsonObject> = {
  listen(outputs: TPartial, origin: PartialOrigin): void;
}["listen"];
