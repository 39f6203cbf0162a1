import type { AxGeneratorOptions } from "../../ax/index.ts";
import { axGenerator, axTitleOf } from "../../ax/index.ts";
import type {
  JsonObject,
  LanguageModel,
  LmMessage,
  LmReply,
  LmTextMessage,
} from "../../contract/index.ts";
import { FormatError } from "../../errors/index.ts";
import type { Field } from "../../signature/index.ts";
import { fieldParser } from "../../signature/index.ts";
import type { DataInPrompt, ShownInputs } from "./data-in-prompt.ts";
import { dataInPrompt } from "./data-in-prompt.ts";
import type { BoundDriver, Driver, DriverBinding, DriverSession } from "./driver.ts";
import { checkComplete, invalidOutput } from "./read-reply.ts";

/**
 * Runs a predictor through ax's `AxGen`, for its assertions and processors. Outputs are still
 * checked against the signature's own fields, and requests are seeded, recorded and aborted as with
 * the default driver. The default driver differs in that it asks for JSON with a schema.
 *
 * @example
 * predict(answer, { driver: axGen({ configure: (gen) => gen.addAssert(isPolite, "Be polite.") }) })
 */
export function axGen(options: AxGeneratorOptions = {}): Driver {
  return Object.freeze({
    name: "ax-gen",
    titlesOf: (output: readonly Field[]): ReadonlyMap<string, Field> =>
      new Map(output.map((field) => [axTitleOf(field.name), field])),
    doBind: (binding: DriverBinding) => bind(binding, options),
  });
}

function bind(binding: DriverBinding, options: AxGeneratorOptions): BoundDriver {
  const { signature, instruction, input, output, layout, settings } = binding;
  const { sampling, corrections } = settings;
  const data = dataInPrompt(binding);
  const parseFields = fieldParser(signature.output, "lenient");
  const nullable = output.filter(
    ({ shape, isOptional }) => shape.kind === "nullable" && !isOptional,
  );
  const absent = Object.fromEntries(nullable.map(({ name }) => [name, null]));
  const parse: typeof parseFields = (values) =>
    mayBeRounded(values)
      ? { ok: false, problems: [`An integer is beyond ${Number.MAX_SAFE_INTEGER} in size`] }
      : parseFields({ ...absent, ...(values as object) });
  const generator = axGenerator(
    { instruction, input, output, layout },
    data.demos,
    (values) => {
      const parsed = parse(values);
      return parsed.ok ? null : parsed.problems.join("; ");
    },
    options,
  );
  return {
    doRender: (inputs) => {
      const { texts, withImages } = data.inputs(inputs);
      return withImages(generator.render(texts) as readonly LmTextMessage[]);
    },
    doPredict: async (inputs, session) => {
      const { texts, withImages } = data.inputs(inputs);
      const watched = watch(session, { ...data, withImages });
      try {
        const values = await generator.generate(texts, {
          lm: watched.lm,
          sampling,
          corrections,
        });
        const parsed = parse(values);
        if (parsed.ok) return parsed.value as JsonObject;
        throw invalidOutput(parsed.problems, watched.lastReply()?.content ?? null);
      } catch (error) {
        throw (
          watched.lmError() ??
          formatErrorOf(error, watched.lastReply(), sampling.maxCompletionTokens)
        );
      }
    },
  };
}

/** Whether values hold an integer so large that ax may have rounded it. */
function mayBeRounded(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(mayBeRounded);
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Keeps what ax wraps or drops: the LM's own error, and the reply on which ax gave up. */
function watch(
  { lm }: DriverSession,
  {
    written,
    shownReply,
    withImages,
  }: Pick<DataInPrompt, "written" | "shownReply"> & Pick<ShownInputs, "withImages">,
): {
  readonly lm: LanguageModel;
  lmError(): unknown;
  lastReply(): LmReply | undefined;
} {
  let lmError: unknown;
  let lastReply: LmReply | undefined;
  const cleaned = (message: LmMessage): LmMessage => {
    if (message.role === "system") return message;
    const isReply = message.role === "assistant" && message.content === lastReply?.content;
    const clean = isReply ? shownReply : written;
    const { content } = message;
    return typeof content === "string" ? { ...message, content: clean(content) } : message;
  };
  return {
    lm: {
      identity: lm.identity,
      doGenerate: async (request, callOptions) => {
        try {
          // All of ax's messages are texts.
          const messages = withImages(request.messages as readonly LmTextMessage[]);
          lastReply = await lm.doGenerate(
            // ax adds the model's own reply and what is wrong with it.
            { ...request, messages: messages.map(cleaned) },
            callOptions,
          );
          return lastReply;
        } catch (error) {
          lmError = error;
          throw error;
        }
      },
    },
    lmError: () => lmError,
    lastReply: () => lastReply,
  };
}

function formatErrorOf(error: unknown, reply: LmReply | undefined, maxTokens: number): unknown {
  // Without a reply, ax failed before it asked: not the model's fault.
  if (reply === undefined) return error;
  try {
    checkComplete(reply, maxTokens);
  } catch (incomplete) {
    return incomplete;
  }
  if (FormatError.isInstance(error)) return error;
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // ax throws this if the model still broke a rule after the last correction; any other error is a
  // fault in code, such as in an assertion.
  const isFormat =
    reason instanceof Error && reason.message.startsWith("Unable to fix validation error");
  return isFormat ? invalidOutput([reason.message], reply.content) : reason;
}
