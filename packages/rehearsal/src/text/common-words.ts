/**
 * Words that carry grammar, not subject matter. Contractions are listed without their apostrophe.
 */
export const functionWords: ReadonlySet<string> = new Set(
  `a about above across after again against all along also although always am among amongst an and
  another any anybody anyone anything are arent around as at be because been before behind being below
  between both but by can cannot cant could couldnt did didnt do does doesnt doing done dont down
  during each either else even ever every everyone everything few for from further had hadnt has hasnt
  have havent having he hence her here hers herself hes him himself his how however i id if ill im in
  indeed instead into is isnt it its itself ive just least less let lets many may me might mine more
  most much must mustnt my myself near neither never no nobody none nor not nothing of off often on
  once one ones only onto or other others otherwise ought our ours ourselves out over own per perhaps
  quite rather really same shall shant she shes should shouldnt since so some somebody someone
  something still such than that thats the their theirs them themselves then there theres therefore
  these they theyre theyve this those though through thus till to together too toward towards under
  unless until unto up upon us very was wasnt we were werent weve what whatever whats when whenever
  where wherever whereas whether which whichever while who whoever whole whom whose why will with
  within without wont would wouldnt yes yet you youd youll your youre yours yourself yourselves`.split(
    /\s+/,
  ),
);

/** Everyday content words that say nothing about the subject: poor search terms. */
export const fillerWords: ReadonlySet<string> = new Set(
  `ah anyway ask asked asking bit called came certain come comes curious describe detail details
  different explain fine find get gets getting give given gives giving go goes going good gone got
  great guess happen happened happens hear hello help helpful hey hi hmm information interested
  interesting keep kind know known like liked likely looking lot lots made make makes making maybe
  mean means mention mentioned need needed needs nice oh ok okay please pretty provide question
  regarding right said say says see seem seems show sort speaking specific sure take taken tell thank
  thanks thing things think thought try trying understand use used using usually want wanted wants
  way ways well went wonder wondering work works yeah`.split(/\s+/),
);

/** Words that refer to something named elsewhere. */
export const pronouns: ReadonlySet<string> = new Set(
  `he her hers him his it its itself she that their theirs them themselves there these they theyre
  this those one ones such former latter`.split(/\s+/),
);
