import { benched } from "./study.ts";

export default benched(false);
