import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChatServer } from "espalier/serve";
import { asked, served } from "../../served.ts";
import type { Upstream } from "../../upstream.ts";
import { answering, upstream } from "../../upstream.ts";

let server: ChatServer;
let lm: Upstream;
beforeAll(async () => {
  lm = await upstream(answering("At a river.", 1));
  server = await served(lm);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await lm[Symbol.asyncDispose]();
});

const routes = {
  "/v1/chat/completions": (schema: object) => ({
    ...asked(),
    response_format: { type: "json_schema", json_schema: { name: "x", schema } },
  }),
  "/v1/responses": (schema: object) => ({
    model: "at-once",
    input: "Where?",
    text: { format: { type: "json_schema", name: "x", schema } },
  }),
};

const schemaOf = (answer: object, $defs: object = {}) => ({
  $defs,
  type: "object",
  properties: { answer },
});
const x = { $ref: "#/$defs/x" };
const doubling = (keyword: string) => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/x${level + 1}` };
    return [`x${level}`, { [keyword]: [next, next] }] as const;
  });
  const $defs = { ...Object.fromEntries(levels), x40: { type: "integer" } };
  return schemaOf({ $ref: "#/$defs/x0" }, $defs);
};

const schemas: readonly (readonly [string, object])[] = [
  ...["anyOf", "oneOf", "allOf"].map((word) => [`${word} that doubles`, doubling(word)] as const),
  ["recursion without a value", schemaOf(x, { x: { anyOf: [x, { type: "string" }] } })],
  ["a reference to a file", schemaOf({ $ref: "file:///etc/passwd" })],
  ["a reference to what every object has", schemaOf({ $ref: "#/constructor/prototype" })],
  ["a property that every object has", { type: "object", required: ["constructor"] }],
];
const cases = Object.keys(routes).flatMap((path) =>
  schemas.map(([name, schema]) => [path, name, schema] as const),
);

test.each(cases)("%s refuses %s at once, with 400", async (path, _, schema) => {
  const body = routes[path as keyof typeof routes](schema);
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { type: "invalid_request_error", code: "unsupported_parameter" },
  });
});
