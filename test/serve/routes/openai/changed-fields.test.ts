import { predict, program, signature, text } from "espalier";
import { chatModel, chatServer, serving } from "espalier/serve";
import { expect, test } from "vitest";
import { scriptedLm } from "../../../support/scripted-lm.ts";
import { clientOf } from "../../served.ts";

const extract = signature({
  name: "extract",
  instruction: "Extract.",
  input: { question: text("question") },
  output: { title: text("answer"), note: text("note"), source: text("source") },
});

/** Writes its notes in capitals after the call. */
const shouting = program({
  name: "shouting",
  version: "1",
  input: extract.input,
  output: extract.output,
  predictors: { extract: predict(extract) },
  forward: async (given, { predictors }) => {
    const found = await predictors.extract(given, { stream: true });
    return { ...found, note: found.note.toUpperCase() };
  },
});

test("a field that the program changes is kept until it is final, once that is known", async () => {
  await using lm = await scriptedLm(() => ({
    pieces: ['{"title":"Te', 'rns","note":"at s', 'ea","source":"Lo', 'g"}'],
  }));
  await using server = await chatServer({
    serving: serving({ name: "s", models: [chatModel({ id: "s", program: shouting })] }),
    lm: lm.lm,
    port: 0,
  });
  const ask = async () => {
    const stream = await clientOf(server).chat.completions.create({
      model: "s",
      stream: true,
      response_format: { type: "json_object" },
      messages: [{ role: "user", content: "What is it?" }],
    });
    const pieces: string[] = [];
    for await (const { choices } of stream) {
      const piece = choices[0]?.delta.content ?? "";
      if (piece !== "") pieces.push(piece);
    }
    return pieces;
  };
  await expect(ask()).rejects.toMatchObject({
    code: "answer_changed",
    message: expect.stringContaining("The program changed `note` after part of it") as string,
  });
  const pieces = await ask();
  expect(JSON.parse(pieces.join(""))).toEqual({ title: "Terns", note: "AT SEA", source: "Log" });
  // The field before it still comes as it is written.
  expect(pieces.slice(0, 2)).toEqual(['{"title":"Te', 'rns"']);
  expect(pieces.at(-1)).toBe(',"note":"AT SEA","source":"Log"}');
});
