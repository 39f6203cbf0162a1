import { leniency, strictness } from "../../ability/index.ts";
import type { CaseStudy } from "../case-study.ts";
import type { Lesson } from "../lesson.ts";
import { casesWith } from "../lesson.ts";

/** What was said yes to should have been no. */
const saidTooSoon =
  /\btoo (?:early|soon|lenient|easily|generous)\b|\b(?:was|is) not (?:needed|relevant|enough|sufficient)\b|\bshould (?:not|never) have been\b|\bsuperfluous\b|\bunneeded\b|\bwrongly (?:judged|called|held|accepted|kept)\b(?! (?:to be )?(?:not|no|un\w+|ir\w+|in\w+)\b)/i;
/** What was said no to should have been yes. */
const saidTooLate =
  /\btoo (?:late|strict|hesitant)\b|\b(?:judged|called|held|taken for) (?:to be )?(?:ir|un|in)\w+|\bwas (?:wrongly )?(?:dropped|rejected|discarded|filtered)\b|\bwas (?:enough|sufficient|relevant)\b|\bwrongly (?:(?:judged|called|held) (?:to be )?(?:not|no|un\w+|ir\w+|in\w+)\b|dropped|rejected|declined|refused)/i;

/**
 * What worked cases of a judging step can teach: that it is too easily content, or never; nothing while
 * the cases show both.
 */
export const judgingLessons: readonly Lesson[] = [
  {
    behaviour: strictness,
    weigh: (cases) => excess(cases, saidTooSoon, saidTooLate),
    wordings: [
      "Be {strict|careful|demanding|rigorous|conservative}.",
      "{Say|Judge|Choose|Answer|Write|Do} so only if all of it {holds|helps|is found|is answered|is there}.",
      "{Say|Judge|Choose|Answer|Write|Do} so only when it {holds|helps|is found|is answered|is needed}.",
    ],
  },
  {
    behaviour: leniency,
    weigh: (cases) => excess(cases, saidTooLate, saidTooSoon),
    wordings: [
      "Be {lenient|generous|tolerant|liberal}.",
      "{Say|Judge|Choose|Answer|Write|Do} so even if only some of it {holds|helps|is found|is answered|is there}.",
      "{Say|Judge|Choose|Answer|Write|Do} so if any part {holds|helps|is found|is answered|is needed}.",
    ],
  },
];

function excess(cases: readonly CaseStudy[], shows: RegExp, denies: RegExp): number {
  const judged = cases.filter(isJudgement);
  const count = (pattern: RegExp): number =>
    judged.filter(({ feedback }) => pattern.test(feedback.remarks)).length;
  return casesWith(judged.slice(0, Math.max(0, count(shows) - count(denies))), () => true);
}

/** The output is a truth value or one label. */
function isJudgement({ outputs }: CaseStudy): boolean {
  return outputs.some((output) => /^[\p{L}_-]{2,30}$/u.test(output.trim()));
}
