import { chatModel } from "espalier/serve";
import { expect, test } from "vitest";
import { thrownBy } from "../../support/thrown-by.ts";
import { atOnce, clientOf, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";

const model = (said: { description?: string; exampleQuestions?: readonly string[] }) =>
  chatModel({ id: "towns", program: atOnce, ...said });

test("the list of models says what a model answers, once for all its versions", async () => {
  await using lm = await upstream(answering("By a river."));
  await using server = await served(lm);
  const { data } = await clientOf(server).models.list();
  expect(data).toMatchObject([
    {
      id: "towns/answerer",
      description: "Answers questions about two towns.",
      example_questions: ["Where is Ostrel?", "Of what is the bridge?", "How long is the Vessen?"],
    },
    { id: "at-once" },
  ]);
  expect(data[1]).not.toHaveProperty("description");
  expect(data[1]).not.toHaveProperty("example_questions");
});

test.each([
  [{ description: " " }, /cannot be shown .at model "towns", `description`.*Got: an empty text/],
  [{ description: "a".repeat(501) }, /`description`.*Got: 501 characters/],
  [{ exampleQuestions: ["a", "b", "c", "d"] }, /at most 3 questions.*Got: too many/],
  [{ exampleQuestions: ["a", ""] }, /`exampleQuestions.1`.*Got: an empty text/],
  [{ exampleQuestions: ["a".repeat(201)] }, /1 to 200 characters. Got: 201 characters/],
])("what does not fit on the page is refused: %j", async (said, message) => {
  const error = await thrownBy(() => model(said));
  expect(error).toMatchObject({ code: "serving-invalid", message: expect.stringMatching(message) });
});
