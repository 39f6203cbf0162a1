import type { ChatModel } from "./chat-model.ts";

/** The model for a single question: calls `inputOf` once and reuses its result. */
export function withOneInput<TModel extends ChatModel>(model: TModel): TModel {
  let made: { readonly input: unknown } | undefined;
  return {
    ...model,
    inputOf: (question) => {
      made ??= { input: model.inputOf(question) };
      return made.input;
    },
  };
}
