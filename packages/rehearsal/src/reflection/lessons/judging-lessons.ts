import { leniency, strictness } from "../../ability/index.ts";
import type { TextReader } from "../../text/index.ts";
import { coverage } from "../../text/index.ts";
import type { CaseStudy } from "../cases/case-study.ts";
import type { Lesson } from "../cases/lesson.ts";
import { casesWith } from "../cases/lesson.ts";

/** It said yes where no was right. */
const saidTooSoon =
  /\btoo (?:early|soon|lenient|easily|generous)\b|\b(?:was|is) not (?:needed|relevant|enough|sufficient)\b|\bshould (?:not|never) have been\b|\bsuperfluous\b|\bunneeded\b|\bwrongly (?:judged|called|held|accepted|kept)\b(?! (?:to be )?(?:not|no|un\w+|ir\w+|in\w+)\b)/i;
/** It said no where yes was right. */
const saidTooLate =
  /\btoo (?:late|strict|hesitant)\b|\b(?:judged|called|held|taken for) (?:to be )?(?:ir|un|in)\w+|\bwas (?:wrongly )?(?:dropped|rejected|discarded|filtered)\b|\bwas (?:enough|sufficient|relevant)\b|\bwrongly (?:(?:judged|called|held) (?:to be )?(?:not|no|un\w+|ir\w+|in\w+)\b|dropped|rejected|declined|refused)/i;

/**
 * Lessons for a judging step: that it is satisfied too easily, or too rarely; none if the cases
 * show both.
 */
export const judgingLessons: readonly Lesson[] = [
  {
    behaviour: strictness,
    weigh: (cases, reader) => excess(cases, wasTooSoon, (study) => wasTooLate(study, reader)),
    wordings: [
      "Be {strict|careful|demanding|rigorous|conservative}.",
      "{Say|Judge|Choose|Answer|Write|Do} so only if all of it {holds|helps|is found|is answered|is there}.",
      "{Say|Judge|Choose|Answer|Write|Do} so only when it {holds|helps|is found|is answered|is needed}.",
    ],
  },
  {
    behaviour: leniency,
    weigh: (cases, reader) => excess(cases, (study) => wasTooLate(study, reader), wasTooSoon),
    wordings: [
      "Be {lenient|generous|tolerant|liberal}.",
      "{Say|Judge|Choose|Answer|Write|Do} so even if only some of it {holds|helps|is found|is answered|is there}.",
      "{Say|Judge|Choose|Answer|Write|Do} so if any part {holds|helps|is found|is answered|is needed}.",
    ],
  },
];

type Shows = (study: CaseStudy) => boolean;

function excess(cases: readonly CaseStudy[], shows: Shows, denies: Shows): number {
  const judged = cases.filter(isJudgement);
  const count = judged.filter(shows).length - judged.filter(denies).length;
  return casesWith(judged.slice(0, Math.max(0, count)), () => true);
}

function wasTooSoon({ feedback }: CaseStudy): boolean {
  return saidTooSoon.test(feedback.remarks);
}

/** The feedback says so, or it quotes as missing something that was answered with no. */
function wasTooLate({ feedback, material, outputs }: CaseStudy, reader: TextReader): boolean {
  if (saidTooLate.test(feedback.remarks)) return true;
  if (!outputs.some((output) => /^(?:false|no)$/i.test(output.trim()))) return false;
  const wanted = reader.stems(feedback.wanted);
  return material.passages.some(({ text }) => {
    const stems = reader.stems(text);
    return stems.size >= 5 && coverage(stems, wanted) > 0.9;
  });
}

/** The output is a truth value or one label. */
function isJudgement({ outputs }: CaseStudy): boolean {
  return outputs.some((output) => /^[\p{L}_-]{2,30}$/u.test(output.trim()));
}
