import { expect, test } from "vitest";
import type { ApiError } from "../../../src/serve/api-error/api-error.ts";
import { readJson } from "../../../src/serve/http/read-json.ts";

const limits = { bytes: 1_048_576, depth: 32, values: 20_000 };

async function read(body: string): Promise<unknown> {
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  const request = new Request("http://localhost/", { method: "POST", headers, body });
  return readJson(request, limits).catch((error: unknown) => (error as ApiError).code);
}

const filled = (unit: string): string =>
  `[${Array(Math.floor(1_000_000 / (unit.length + 1)))
    .fill(unit)
    .join(",")}]`;

test("a body of more values than are allowed is refused before it is parsed", async () => {
  for (const unit of ["1", "[]", "{}", '"a"', "[[[[]]]]", '{"a":{"b":1}}']) {
    expect(await read(filled(unit))).toBe("json_too_many_values");
    // It is not JSON, which only a parser would tell.
    expect(await read(`${filled(unit)}]`)).toBe("json_too_many_values");
  }
  const keys = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join(",");
  expect(await read(`{${keys}}`)).toBe("json_too_many_values");
});

test("as many values as are allowed are read, and what stands in a text is none", async () => {
  expect(await read(`[${Array(19_998).fill("1").join(",")}]`)).toHaveLength(19_998);
  for (const text of [",".repeat(100_000), '[{"\\'.repeat(20_000), '\\"'.repeat(50_000)]) {
    expect(await read(JSON.stringify({ text }))).toEqual({ text });
  }
});

test("however deep a body is nested, it is refused and not thrown over", async () => {
  for (const open of ["[", '{"a":', '[{"a":']) {
    expect(await read(open.repeat(Math.floor(1_000_000 / open.length)))).toBe("json_too_deep");
  }
  for (const torn of ['"', '"\\', '{"a', "[", ""]) expect(await read(torn)).toBe("invalid_json");
});
