import { tool } from "espalier";
import { z } from "zod";

/** Adds, subtracts, multiplies and divides, with brackets. */
export const calculator = tool({
  name: "calculator",
  description: "Works out an arithmetic expression.",
  input: { expression: z.string().describe("Numbers, + - * / and brackets: (12 + 7) * 3.") },
  output: z.number(),
  run: ({ expression }) => {
    const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]|\S/g) ?? [];
    let index = 0;
    const value = (): number => {
      const token = tokens[index++];
      if (token === "-") return -value();
      if (token === "(") {
        const inside = sum();
        if (tokens[index++] !== ")") throw new Error("A bracket is not closed");
        return inside;
      }
      if (token === undefined || !/^\d/.test(token))
        throw new Error(`Unexpected: ${token ?? "end"}`);
      return Number(token);
    };
    const product = (): number => {
      let result = value();
      while (tokens[index] === "*" || tokens[index] === "/") {
        result = tokens[index++] === "*" ? result * value() : result / value();
      }
      return result;
    };
    const sum = (): number => {
      let result = product();
      while (tokens[index] === "+" || tokens[index] === "-") {
        result = tokens[index++] === "+" ? result + product() : result - product();
      }
      return result;
    };
    const result = sum();
    if (index < tokens.length) throw new Error(`Unexpected: ${tokens[index]}`);
    if (!Number.isFinite(result)) throw new Error("Division by 0");
    return result;
  },
});
