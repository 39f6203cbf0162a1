import { randomBytes } from "node:crypto";

/** 128 random bits, which no other answer contains. */
export function newSecret(): string {
  return randomBytes(16).toString("hex");
}

export function questionOf(secret: string): string {
  return `What is the height of the tower with the number <${secret}>, antennas included?`;
}

/** The secret of the last question in a body. */
export function secretIn(body: string): string {
  return /<([0-9a-f]{32})>(?!.*<[0-9a-f]{32}>)/s.exec(body)?.[1] ?? "none";
}

export function answerTo(secret: string): string {
  return `The tower ${secret} is 330 metres tall, antennas included, and was built in 1889.`;
}
