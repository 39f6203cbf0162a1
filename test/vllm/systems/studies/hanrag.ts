import hanrag from "../../../../optimizers/hanrag.ts";
import { small } from "../support/small.ts";

export default small(hanrag);
