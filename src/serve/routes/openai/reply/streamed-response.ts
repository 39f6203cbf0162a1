import type { ApiError } from "../../../api-error/api-error.ts";
import type { ChatOutcome } from "../../../model/chat-exchange.ts";
import { growingText } from "../../../../internal/index.ts";
import { answerStream } from "../../../protocol/answer-stream.ts";
import type { ServeContext } from "../../../protocol/protocol-adapter.ts";
import type { SentCall } from "./completion.ts";
import { metadataOf, sentCalls } from "./completion.ts";
import { contentStream } from "./content-stream.ts";
import type { AskedQuestion } from "../request/openai-chat.ts";
import type { ResponseHead, ResponseItem } from "./response.ts";
import {
  callItem,
  completedResponse,
  itemIds,
  messageItem,
  openResponse,
  reasoningItem,
  summaryPart,
  textPart,
} from "./response.ts";

/**
 * A streamed response of `/v1/responses`: the program's steps as parts of a reasoning summary, then
 * the message or the calls that the client has to make, then the whole response. An error after the
 * first byte is an `error` event, followed by `response.failed`.
 *
 * @throws ApiError for a question that is refused at once
 */
export function streamedResponse(
  context: ServeContext,
  {
    head,
    chat: { ignoredMessages },
    question,
    request,
    written,
  }: Omit<AskedQuestion, "id" | "created"> & { readonly head: ResponseHead },
): ReadableStream<Uint8Array> {
  return answerStream(context, { ...question, request }, (sendText, sayText) => {
    const ids = itemIds(head);
    const steps: string[] = [];
    const output: ResponseItem[] = [];
    const text = growingText();
    let [number, hasStarted, hasMessage] = [0, false, false];
    const dataOf = (type: string, fields: object): string =>
      JSON.stringify({ type, sequence_number: number++, ...fields });
    const send = (type: string, fields: object): void => {
      sendText(() => dataOf(type, fields), type);
    };
    const begin = (): void => {
      if (hasStarted) return;
      hasStarted = true;
      send("response.created", { response: openResponse(head) });
      send("response.in_progress", { response: openResponse(head) });
    };
    const step = (said: string): void => {
      // Items of a response follow each other: a step during the answer has no place.
      if (hasMessage) return;
      begin();
      const place = { item_id: ids.reasoning, output_index: 0, summary_index: steps.length };
      if (steps.length === 0) {
        send("response.output_item.added", {
          output_index: 0,
          item: reasoningItem(ids.reasoning, []),
        });
      }
      steps.push(said);
      send("response.reasoning_summary_part.added", { ...place, part: summaryPart("") });
      send("response.reasoning_summary_text.delta", { ...place, delta: said });
      send("response.reasoning_summary_text.done", { ...place, text: said });
      send("response.reasoning_summary_part.done", { ...place, part: summaryPart(said) });
    };
    const place = () => ({ item_id: ids.message, output_index: output.length, content_index: 0 });
    const endSteps = (): void => {
      if (steps.length === 0 || output.length > 0) return;
      const item = reasoningItem(ids.reasoning, steps);
      send("response.output_item.done", { output_index: 0, item });
      output.push(item);
    };
    const beginMessage = (): void => {
      if (hasMessage) return;
      begin();
      hasMessage = true;
      endSteps();
      messagePlace = place();
      const item = messageItem(ids.message, "in_progress", []);
      send("response.output_item.added", { output_index: output.length, item });
      send("response.content_part.added", { ...place(), part: textPart("") });
    };
    let messagePlace = place();
    const textDelta = (delta: string): string =>
      dataOf("response.output_text.delta", { ...messagePlace, delta, logprobs: [] });
    const say = (delta: string): void => {
      beginMessage();
      text.add(delta);
      sayText(delta, textDelta, "response.output_text.delta");
    };
    const endMessage = (citations: ChatOutcome["citations"]): void => {
      const part = textPart(text.text(), citations);
      for (const [index, annotation] of part.annotations.entries()) {
        const at = { ...place(), annotation_index: index };
        send("response.output_text.annotation.added", { ...at, annotation });
      }
      const item = messageItem(ids.message, "completed", [part]);
      send("response.output_text.done", { ...place(), text: part.text, logprobs: [] });
      send("response.content_part.done", { ...place(), part });
      send("response.output_item.done", { output_index: output.length, item });
      output.push(item);
    };
    const call = (made: SentCall): void => {
      const item = callItem(made, "completed");
      const at = { item_id: item.id, output_index: output.length };
      const { name, arguments: given } = made;
      const added = callItem(made, "in_progress");
      send("response.output_item.added", { output_index: output.length, item: added });
      send("response.function_call_arguments.delta", { ...at, delta: given });
      send("response.function_call_arguments.done", { ...at, name, arguments: given });
      send("response.output_item.done", { output_index: output.length, item });
      output.push(item);
    };
    const complete = (outcome: ChatOutcome): void => {
      const metadata = metadataOf(outcome, { id: head.id, ignoredMessages });
      const response = completedResponse(head, outcome, { output, metadata });
      send("response.completed", { response });
    };
    const content = contentStream(({ content: delta }) => say(delta));
    const fail = ({ code, message, param }: ApiError): void => {
      begin();
      send("error", { code, message, param });
      const response = { ...openResponse(head), status: "failed", error: { code, message } };
      send("response.failed", { response });
    };
    return {
      begin,
      event: (event) => {
        if (event.kind === "step") step(event.text.trimEnd());
        else if (written === undefined) content.handle(event);
      },
      end: (ended) => {
        if (ended.state === "answered") {
          const { outcome } = ended;
          if (written === undefined) content.end();
          else say(written(outcome.output));
          beginMessage();
          endMessage(outcome.citations);
          complete(outcome);
        } else if (ended.state === "calls") {
          begin();
          if (hasMessage) endMessage([]);
          else endSteps();
          for (const made of sentCalls(ended.calls, head.id)) call(made);
          complete(ended.outcome);
        } else if (ended.state === "refused") {
          fail(ended.error);
        }
      },
    };
  });
}
