import { EspalierError } from "./espalier-error.ts";

/** Ends a run whose agent asks for its caller's tools: not a fault, but the caller's turn. */
export class ClientCallsError extends EspalierError {
  /** At least one; `arguments` is a JSON object as the model wrote it. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];

  constructor(calls: ClientCallsError["calls"]) {
    super({
      code: "client-tools-called",
      problem: `The agent asks for its caller's tools: ${calls.map(({ name }) => `\`${name}\``).join(", ")}`,
      fix: "Make the calls, and run the program again with their results in `clientTools.steps`",
    });
    this.calls = calls;
  }

  static override isInstance(error: unknown): error is ClientCallsError {
    return EspalierError.isInstance(error) && error.code === "client-tools-called";
  }
}
