import { appendFile, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { LanguageModel } from "../../contract/index.ts";
import { cutTornLine, makePrivateFolder, privateModes, writeFault } from "../../storage/index.ts";
import { callKeys } from "./call-key.ts";
import type { RecordedCall } from "./recording.ts";

/**
 * Writes each call and its reply to the end of a JSONL file, for `replayed`. A reply is returned
 * once its line is written. Unlike a cache, a recording never answers a call.
 *
 * Once a line cannot be written no call is sent any more: each rejects with `write-failed`.
 */
export function recorded(lm: LanguageModel, path: string): LanguageModel {
  const keyOf = callKeys(lm.identity);
  let written: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  // Lines are written one after the other, so that none is torn by another.
  const append = (call: RecordedCall): Promise<void> => {
    const before = (written ??= prepareFile(path));
    written = before
      .then(() => appendFile(path, `${JSON.stringify(call)}\n`))
      .catch((error: unknown) => {
        failure ??= {
          error: writeFault(error, path, {
            kept: "The calls recorded before this one are kept.",
            next: "record it again",
          }),
        };
        throw failure.error;
      });
    return written;
  };

  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      if (failure !== undefined) throw failure.error;
      const reply = await lm.doGenerate(request, options);
      const { identity } = lm;
      const repetition = options?.repetition ?? 0;
      const key = keyOf(request, repetition);
      await append({ key, identity, request, repetition, reply });
      return reply;
    },
  };
}

async function prepareFile(path: string): Promise<void> {
  makePrivateFolder(dirname(path));
  await using file = await open(path, "a+", privateModes.file);
  await cutTornLine(file);
}
