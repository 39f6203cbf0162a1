/**
 * R2RAG behind the protocol of the MMU-RAG competition:
 * `espalier serve optimizers/serving.ts --protocol optimizers/mmu-rag.ts --lm URL`.
 */
import { mmuRag } from "../programs/r2rag/mmu-rag/index.ts";

export default mmuRag({ model: "r2rag" });
