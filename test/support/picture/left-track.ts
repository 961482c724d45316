/** For what watches a track: one that left while the word of it was on its way can no longer be opened, and shows nothing. */
export function unlessLeft(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('handle is not a'))) throw error;
}
