import { jsonDriver } from "espalier";
import { describeDriver } from "./driver.contract.ts";

describeDriver({
  driver: jsonDriver,
  write: (outputs) => JSON.stringify(outputs),
  nonsense: "I would rather not say.",
});
