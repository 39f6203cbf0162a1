/** Options of earlier versions, and what replaced them. */
export const renamedOptions: Readonly<Record<string, string>> = {
  "mmu-rag":
    "`--protocol FILE`, for a file that has `export default mmuRag({ model })` of `espalier/programs/r2rag/mmu-rag`",
  chats: "`--max-requests`",
  open: "`--no-auth`",
  trusted: "`--trusted-keys`",
  attempts: "`--patience MIN`, in minutes",
  "stall-timeout": "`--idle-timeout`",
};
