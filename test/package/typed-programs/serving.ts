import { connect } from "espalier/lm";
import { chatModel, citationsOf, handler, serving } from "espalier/serve";
import type { ProtocolAdapter } from "espalier/serve";
import { hanrag } from "espalier/programs/hanrag";
import { answerDirectly } from "espalier/signatures/answer-directly";
import { predict } from "espalier";
import type { Retriever } from "espalier";
import { twoHops } from "./answering.ts";

/** A shipped program beside one's own, as chat models. */
export const towns = (retriever: Retriever) =>
  serving({
    name: "towns",
    models: [
      chatModel({
        id: "towns/two-hops",
        program: twoHops(retriever),
        inputOf: ({ question }) => ({ question }),
        answerOf: ({ answer, passages }) => ({ answer, citations: citationsOf(passages) }),
      }),
      chatModel({
        id: "towns/hanrag",
        program: hanrag({ retriever }),
        inputOf: ({ question }) => ({ question }),
        answerOf: ({ answer, passages }) => ({ answer, citations: citationsOf(passages) }),
      }),
    ],
    checks: { passages: (signal) => retriever.doRetrieve({ query: "town", k: 1 }, { signal }) },
  });

export const plainText: ProtocolAdapter = {
  mount: (app, context) => {
    app.post("/ask", async (c) => {
      const model = await context.models.resolve("towns");
      const { signal } = c.req.raw;
      const question = await c.req.text();
      const start = context.ask({ model, question, history: [], id: context.newId("ask"), signal });
      if (start.state === "refused") throw start.error;
      const ended = await start.outcome;
      return c.text(ended.state === "answered" ? ended.outcome.answer : "");
    });
  },
};

export async function answered(retriever: Retriever, request: Request): Promise<Response> {
  const lm = connect({ baseUrl: "http://127.0.0.1:8000/v1", model: "m" });
  const models = await handler(towns(retriever), { lm, basePath: "/ai" });
  await predict(answerDirectly).run({ question: "Where?" }, { lm });
  return models.fetch(request);
}
