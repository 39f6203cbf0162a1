/**
 * The protocol of the MMU-RAG competition (NeurIPS 2025), in which R2RAG took part: the routes that
 * its harness calls, and the rows of its offline evaluation. A file for `--protocol`
 * default-exports it: `export default mmuRag({ model: "r2rag" })`.
 */
export { mmuRag } from "./mmu-rag.ts";
