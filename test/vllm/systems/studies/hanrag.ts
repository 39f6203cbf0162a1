import type { Parts } from "espalier/servers";
import declare from "../../../../optimizers/hanrag.ts";
import { small } from "../support/small.ts";

export default async (parts: Parts) => small(await declare(parts));
