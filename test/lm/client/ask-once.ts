// Run as a child process: asks a server once, and prints the code of the fault and the peak memory
// in MiB.
import { EspalierError } from "../../../src/errors/index.ts";
import { openAiCompatible } from "../../../src/lm/index.ts";
import { requestOf } from "../requests.ts";

const [baseUrl = "", way] = process.argv.slice(2);
const lm = openAiCompatible({ baseUrl, model: "test-model" });
const options = way === "streamed" ? { onDelta: () => {} } : {};
const code = await lm.doGenerate(requestOf("hi"), options).then(
  () => "answered",
  (error: unknown) => (EspalierError.isInstance(error) ? error.code : String(error)),
);
const peakMiB = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ code, peakMiB }));
