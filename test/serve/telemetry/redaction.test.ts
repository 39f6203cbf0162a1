import { expect, test } from "vitest";
import { redaction } from "../../../src/serve/telemetry/server-log.ts";

test("what may be a secret is masked, and the rest stays", () => {
  const given =
    'Authorization: Bearer abc.def-1 at http://user:pass@host/v1?api_key=xyz&k=3 "token": "t0p" sk-proj-12345678 own-secret';
  expect(redaction(["own-secret", ""])(given)).toBe(
    'Authorization: Bearer [redacted] at http://[redacted]@host/v1?api_key=[redacted]&k=3 "token": "[redacted]" [redacted] [redacted]',
  );
  expect(redaction()("The monkey found 3 keys.")).toBe("The monkey found 3 keys.");
});
