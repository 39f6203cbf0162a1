import { ApiError } from "../../api-error/api-error.ts";
import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";
import { standInLabel } from "../../../stand-in/index.ts";
import { chatRequest } from "./request/chat-request.ts";
import type { CompletionHead } from "./reply/completion.ts";
import { completion } from "./reply/completion.ts";
import type { AskedQuestion, OpenaiChat } from "./request/openai-chat.ts";
import { questionRoute, secondsOf } from "./question-route.ts";
import type { ResponseHead } from "./reply/response.ts";
import { response } from "./reply/response.ts";
import { responsesRequest } from "./request/responses-request.ts";
import { streamedCompletion } from "./reply/streamed-completion.ts";
import { streamedResponse } from "./reply/streamed-response.ts";

/**
 * `GET /v1/models`, `GET /v1/models/{id}`, `POST /v1/chat/completions` and `POST /v1/responses`, as
 * in OpenAI's API.
 */
export function openaiRoutes(): ProtocolAdapter {
  return {
    mount: (app, context) => {
      // A program without an artifact counts as created when its server started.
      const startedAt = context.now();
      const { name: standIn } = standInLabel(context.standIns);
      const standIns = context.standIns.map(({ part, provider, model }) => ({
        part,
        provider,
        model,
      }));
      const listed = async () => {
        const models = await context.models.list();
        return models.map(({ name, version, madeAt, introduction = {} }) => ({
          id: name,
          object: "model",
          created: secondsOf(madeAt === null ? startedAt : new Date(madeAt)),
          owned_by: context.name,
          version,
          ...(introduction.description !== undefined && { description: introduction.description }),
          ...(introduction.exampleQuestions !== undefined && {
            example_questions: introduction.exampleQuestions,
          }),
          ...(standIns.length > 0 && { stand_ins: standIns }),
        }));
      };
      app.get("/v1/models", async (c) => c.json({ object: "list", data: await listed() }));
      // Ids contain slashes, which some clients escape.
      app.get("/v1/models/:id{.+}", async (c) => {
        const models = await listed();
        const found = models.find(({ id }) => id === c.req.param("id"));
        if (found !== undefined) return c.json(found);
        const ids = models.map(({ id }) => `\`${id}\``);
        const message = `There is no such model. This server has ${ids.join(", ")}.`;
        throw new ApiError(404, "model_not_found", message, { param: "model" });
      });

      app.post(
        "/v1/chat/completions",
        questionRoute(context, {
          prefix: "chatcmpl",
          format: "response_format",
          read: chatRequest,
          streamed: ({ id, created, ...asked }) =>
            streamedCompletion(context, { head: headOf(id, created, asked.chat), ...asked }),
          whole: ({ id, created, chat }, outcome, reply) =>
            completion(headOf(id, created, chat), outcome, reply),
        }),
      );
      app.post(
        "/v1/responses",
        questionRoute(context, {
          prefix: "resp",
          format: "text.format",
          read: responsesRequest,
          streamed: (asked) => streamedResponse(context, { head: responseHead(asked), ...asked }),
          whole: (asked, outcome, reply) => response(responseHead(asked), outcome, reply),
        }),
      );

      function headOf(id: string, created: number, { model }: OpenaiChat): CompletionHead {
        return { id, created, model, ...(standIn !== "" && { system_fingerprint: standIn }) };
      }
    },
  };
}

function responseHead({ id, created, chat, question }: AskedQuestion): ResponseHead {
  const { clientTools } = question;
  return { id, created, model: chat.model, format: chat.format, clientTools };
}
