import type { Text } from "espalier";
import type { QuestionRoute } from "../../signatures/index.ts";
import { questionRoutes } from "../../signatures/index.ts";
import type { HanragCall } from "./modules.ts";
import { unlessUnreadable } from "../support/unless-unreadable.ts";

/**
 * The router. If a reply is longer than the label, its beginning decides ("compound question"), as
 * the paper's model wrote it; any other reply counts as `single-step`, which is right for most
 * questions and cheap when wrong.
 */
export async function chooseRoute(
  question: Text<"question">,
  call: HanragCall,
): Promise<QuestionRoute> {
  const { route } = await unlessUnreadable<{ readonly route: QuestionRoute }>(
    call.predictors.routeQuestion({ question }),
    ({ rawText }) => {
      const read = routeAtStart(rawText ?? "");
      call.note("unreadable-route", rawText ?? "");
      return { route: read ?? "single-step" };
    },
  );
  return route;
}

/** The route at the start of a text, after `{"route": "` if the text is such an object. */
function routeAtStart(text: string): QuestionRoute | undefined {
  const start = text
    .toLowerCase()
    .replace(/^\W*(?:route\W+)?/, "")
    .replace(/^single[ _]step/, "single-step");
  return questionRoutes.find((route) => start.startsWith(route));
}
