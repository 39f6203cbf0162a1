// @ts-check
import { chatEvents } from "./chat-stream.js";
import { faultOf, ServerFault, unreachable } from "./server-fault.js";

/**
 * @typedef {{ name: string, feedback?: boolean, notice?: string }} About
 * @typedef {{
 *   id: string,
 *   version: string,
 *   description?: string,
 *   example_questions?: readonly string[],
 * }} Model
 * @typedef {{ role: "user" | "assistant", content: string }} Message
 * @typedef {{ rating: "up" | "down", comment: string, correction: string }} Rating
 * @typedef {ReturnType<typeof server>} Server
 */

/**
 * The server of this page; also works behind a proxy with a path prefix.
 *
 * @param {import("./key-ring.js").KeyRing} keys
 */
export function server(keys) {
  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  const send = async (path, init) => {
    for (;;) {
      const key = keys.current();
      const response = await fetch(new URL(path, document.baseURI), {
        ...init,
        headers: {
          "content-type": "application/json",
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
      }).catch(unreachable);
      if (response.ok) return response;
      const fault = await faultOf(response);
      if (response.status !== 401) throw fault;
      // Another request may have obtained a new key meanwhile.
      if (keys.current() === key && !(await keys.ask(fault))) throw fault;
    }
  };
  /** @param {string} path @param {object} body @param {AbortSignal} [signal] */
  const post = (path, body, signal) =>
    send(path, { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });

  return {
    /** @returns {Promise<About>} */
    about: async () => (await send("health", {})).json(),
    /** @returns {Promise<readonly Model[]>} */
    models: async () => (await (await send("v1/models", {})).json()).data,
    /**
     * @param {{ model: string, messages: readonly Message[], signal: AbortSignal }} question
     * @returns {AsyncGenerator<import("./chat-stream.js").ChatEvent, void, void>}
     */
    async *ask({ model, messages, signal }) {
      const streaming = { stream: true, stream_options: { include_usage: true } };
      const { body } = await post("v1/chat/completions", { model, messages, ...streaming }, signal);
      if (body === null) throw new ServerFault("The server sent nothing.");
      yield* chatEvents(body);
    },
    /**
     * Rates an answer; the latest rating counts.
     *
     * @param {string} id
     * @param {Rating} rating
     */
    rate: (id, rating) => post("v1/feedback", { id, ...rating }),
  };
}
