import { expect, test } from "vitest";
import { z } from "zod";
import { invalidParameter } from "../../../src/serve/api-error/api-error.ts";

const problemOf = (schema: z.ZodType, value: unknown, within?: string) => {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error("It was taken.");
  const { status, code, param, message } = invalidParameter(error, within);
  return { status, code, param, message };
};

test("the first problem of a body names the part that is at fault", () => {
  const schema = z.strictObject({ list: z.array(z.object({ id: z.string() })) });
  expect(problemOf(schema, { list: [{ id: "a" }, { id: 1 }] })).toEqual({
    status: 400,
    code: "invalid_parameter",
    param: "list[1].id",
    message: "`list[1].id`: Invalid input: expected string, received number.",
  });
  expect(problemOf(z.object({ role: z.string() }), {}, "messages[3]").param).toBe(
    "messages[3].role",
  );
  expect(problemOf(schema, 1)).toMatchObject({
    param: null,
    message: expect.stringMatching(/^The body: /),
  });
});

test("however many names a client makes up, the reply does not repeat them all", () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, 1]);
  const { message } = problemOf(z.strictObject({}), Object.fromEntries(keys));
  expect(message.length).toBeLessThan(300);
});
