import type { JsonObject, LmMessage, LmReply, LmRequest } from "../../contract/index.ts";
import { FormatError } from "../../errors/index.ts";
import { promptTemplate } from "../../ax/index.ts";
import { fieldParser, jsonSchemaOf } from "../../signature/index.ts";
import { askAgain, dataInPrompt } from "./data-in-prompt.ts";
import type { BoundDriver, Driver, DriverBinding } from "./driver.ts";
import { readReply } from "./read-reply.ts";

/**
 * The default driver: one prompt, one call constrained by a JSON schema, and, if the reply is
 * unusable, one more (`askAgain`).
 */
export const jsonDriver: Driver = Object.freeze({ name: "json", doBind: bind });

function bind(binding: DriverBinding): BoundDriver {
  const { signature, instruction, input, output, settings } = binding;
  const data = dataInPrompt(binding);
  const template = promptTemplate({ instruction, input, output }, data.demos);
  const parse = fieldParser(signature.output, "lenient");
  const { sampling, thinking, corrections } = settings;
  const requestOf = (messages: readonly LmMessage[]): LmRequest => ({
    messages,
    sampling,
    seed: 0,
    responseSchema: { name: signature.name, schema },
    ...(thinking === undefined ? {} : { thinking }),
  });
  const schema = jsonSchemaOf(output);
  const doRender = (inputs: JsonObject): readonly LmMessage[] => {
    const { texts, withImages } = data.inputs(inputs);
    return withImages(template.render(texts));
  };

  return {
    doRender,
    doPredict: async (inputs, { lm }) => {
      const messages = doRender(inputs);
      const read = (reply: LmReply): JsonObject =>
        readReply(reply, parse, sampling.maxCompletionTokens);
      const request = requestOf(messages);
      const reply = await lm.doGenerate(request);
      try {
        return read(reply);
      } catch (error) {
        if (!FormatError.isInstance(error) || corrections === 0) throw error;
        return read(await askAgain(lm, request, error, data));
      }
    },
  };
}
