import { embedderOf, readArtifact } from "../../artifact/index.ts";
import type { JsonObject, LmMessage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { getOwn, imagePlaceholder } from "../../internal/index.ts";
import type { FieldSchemas } from "../../signature/index.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { loadProgram } from "../load/load-program.ts";
import { readProgramInput } from "../arguments/read-input.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";
import { print } from "../terminal/terminal.ts";

/** Prints what a predictor of a study or an artifact would send, without calling the LM. */
export async function showPrompt(
  subject: string,
  given: {
    readonly predictor: string;
    readonly input?: string | undefined;
    readonly study?: string | undefined;
    readonly trainset?: string | undefined;
    readonly "trust-module": boolean;
    readonly candidate?: string | undefined;
    readonly json: boolean;
  },
): Promise<void> {
  if (subject.endsWith(".json")) await checkAsksNobody(subject);
  const loaded = await loadProgram(subject, { ...given, parts: await unaskedParts() });
  const program = await withCandidate(loaded.program, given.candidate);
  const fields = getOwn(program.predictors, given.predictor)?.signature.input ?? {};
  const messages = program.render(given.predictor, await inputsFrom(given.input, fields));
  print(given.json ? JSON.stringify(messages) : promptText(messages));
}

/** The embedder that would choose demonstrations is not asked here. */
async function checkAsksNobody(path: string): Promise<void> {
  const embedder = embedderOf(await readArtifact(path));
  if (embedder === null) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The choice of demonstrations depends on the embedder \`${embedder.model}\`, which this command does not call`,
    where: path,
    fix: "See the trace of `espalier run --trace --json`: it contains the prompts, and the ids under `demonstrations`.",
  });
}

function promptText(messages: readonly LmMessage[]): string {
  return messages.map(({ role, content }) => `===== ${role}\n${contentText(content)}`).join("\n");
}

/** Each picture as its placeholder, where it stands. */
function contentText(content: LmMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : imagePlaceholder(part.url)))
    .join(" ");
}

async function inputsFrom(input: string | undefined, fields: FieldSchemas): Promise<JsonObject> {
  if (input !== undefined) return (await readProgramInput(input, fields)) as JsonObject;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--predictor needs the inputs to render",
    expected: "--input JSON, @FILE, or -",
  });
}
