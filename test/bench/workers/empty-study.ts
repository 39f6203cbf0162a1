import { benched } from "./study.ts";

// oxlint-disable-next-line import/no-default-export -- the command line takes a study so
export default benched(false);
