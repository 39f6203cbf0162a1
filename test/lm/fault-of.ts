import { LmError } from "../../src/errors/index.ts";

/** The fault that a call ends in. */
export async function faultOf(call: Promise<unknown>): Promise<LmError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (!LmError.isInstance(error)) throw new Error(`Not an LmError: ${String(error)}`);
  return error;
}
