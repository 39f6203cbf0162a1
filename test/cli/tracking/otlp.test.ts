import { expect, it } from "vitest";
import { collector } from "../../support/otlp-collector.ts";
import { runMain } from "../../support/run-main.ts";

const evaluate = ["eval", "test/cli/fixtures/few-places.ts", "--rehearsal", "--limit", "2"];

it("sends traces to the endpoint of the environment, with its headers and no texts", async () => {
  await using server = await collector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
    OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20of-a-team, x-scope = a",
  };
  const { code, stderr } = await runMain(evaluate, { env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(server.spans().filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(2);
  for (const { headers, body } of server.received) {
    expect(headers).toMatchObject({ authorization: "Bearer of-a-team", "x-scope": "a" });
    expect(body).not.toMatch(/of-a-team|is well known/);
  }
});

it("ends as it would have where the endpoint is down, and says what is lost in a line", async () => {
  const words = [...evaluate, "--otlp", "http://127.0.0.1:9"];
  const { code, stderr } = await runMain(words);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toMatch(
    /^OTLP at http:\/\/127\.0\.0\.1:9 has not received everything .*is lost$/m,
  );
});

it("names the variable that is malformed, and keeps its value to itself", async () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: "s3cret" };
  const { code, stderr } = await runMain([...evaluate, "--otlp", "http://127.0.0.1:9"], { env });
  expect(code).not.toBe(0);
  expect(stderr).toContain("OTEL_EXPORTER_OTLP_HEADERS is malformed");
  expect(stderr).not.toContain("s3cret");
});
