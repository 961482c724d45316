/** What each folder may import. A longer path overrides a shorter one. */
export const mayImport: Record<string, string[]>;
