import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { conformanceChecks, runCheck } from "../../scripts/conformance/run-checks.ts";
import { sharedData } from "../support/shared-data.ts";

const folder = resolve(import.meta.dirname, "../../../shared/data");

describe("agrees with the reference over thousands of rows", () => {
  for (const check of conformanceChecks.filter(({ isSlow }) => isSlow === true)) {
    const absent = check.files.map(sharedData).find(({ isAbsent }) => isAbsent);
    test.skipIf(absent !== undefined)(`${check.name}${absent?.note ?? ""}`, async () => {
      expect(await runCheck(check, folder)).toMatchObject({ state: "agrees" });
    });
  }
});
