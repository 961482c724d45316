/** A track that left before its announcement arrived cannot be opened and shows nothing. */
export function unlessLeft(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('handle is not a'))) throw error;
}
