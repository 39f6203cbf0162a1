import { EspalierError } from "../../src/errors/index.ts";

/** The framework error that a call or promise ends with; anything else fails the test. */
export async function thrownBy(run: () => unknown): Promise<EspalierError> {
  try {
    await run();
  } catch (error) {
    if (EspalierError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("The call was expected to fail, and did not.");
}
