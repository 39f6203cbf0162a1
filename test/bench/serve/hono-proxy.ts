/** A minimal proxy between clients and an LM's server: routes, JSON in, `fetch`, JSON out. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const upstream = process.argv[2] ?? "";
const app = new Hono();

app.post("/v1/chat/completions", async (c) => {
  const body = await c.req.json<{ readonly stream?: boolean }>();
  const response = await fetch(`${upstream}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (body.stream === true) {
    return new Response(response.body, { headers: { "content-type": "text/event-stream" } });
  }
  return c.json((await response.json()) as object);
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});
