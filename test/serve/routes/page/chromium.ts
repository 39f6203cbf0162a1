import { existsSync } from "node:fs";
import type { ChatServer } from "espalier/serve";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";

/** A page of a server in a browser profile of its own. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Writes a question and presses Enter. */
  ask(question: string): Promise<void>;
}

/** For `expect.poll`, on a machine that has other work too. */
export const patience: { readonly timeout: number; readonly interval: number } = {
  timeout: 60_000,
  interval: 20,
};

const path = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A real Chromium for the tests of one file. A test fails by what its pages complain of: errors on
 * the console, refusals of the content security policy, requests to other servers. Where there is
 * no browser the tests are skipped, but for continuous integration, where they fail.
 */
export function chromiumPages(): {
  visit(server: Pick<ChatServer, "url">, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens one address, such as that of a file; the page may request that and nothing else. */
  open(address: URL, options?: BrowserContextOptions): Promise<Visit>;
} {
  const isThere = existsSync(path) || process.env["CI"] === "true";
  const complaints: string[] = [];
  let browser: Browser | undefined;

  beforeAll(async () => {
    if (isThere) browser = await chromium.launch({ executablePath: path, args });
    else process.stderr.write(`SKIPPED: there is no Chromium, ${path}; see CONTRIBUTING.md\n`);
  });
  beforeEach(({ skip }) => skip(!isThere, `there is no ${path}; CHROMIUM_PATH may name another`));
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  return {
    visit: (server, options) =>
      opened(`${server.url}/`, (url) => url.startsWith(`${server.url}/`), options),
    open: (address, options) =>
      // What is after `#` is not requested; the empty icon is in the page itself.
      opened(
        address.href,
        (url) => url === address.href.replace(/#.*/, "") || url === "data:,",
        options,
      ),
  };

  async function opened(
    address: string,
    isOwn: (url: string) => boolean,
    options: BrowserContextOptions = {},
  ): Promise<Visit> {
    if (browser === undefined) throw new Error("The browser is not there yet");
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      // Chromium's own note on each reply that is no 200: the page deals with those.
      if (message.text().startsWith("Failed to load resource:")) return;
      complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!isOwn(request.url())) complaints.push(request.url());
    });
    await page.goto(address);
    return {
      page,
      ask: async (question) => {
        await page.getByLabel("Question").fill(question);
        await page.getByRole("button", { name: "Ask", exact: true, disabled: false }).waitFor();
        await page.getByLabel("Question").press("Enter");
      },
      [Symbol.asyncDispose]: () => context.close(),
    };
  }
}

/** The answer of a model, by the name that it was asked for, in the last turn. */
export function answerOf(page: Page, model: string) {
  return page.getByRole("article", { name: `Answer from ${model}`, exact: true }).last();
}
