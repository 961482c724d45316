import type { KnowledgeFileRecords } from '../../../src/records/knowledge/knowledge-files.ts';

/** The files with their whole texts, which may not be long. */
export const wholeTexts = (files: KnowledgeFileRecords) => ({
  available: (...request: Parameters<typeof files.available>) => files.available(...request),
  async read(accountId: string, id: string) {
    const file = await files.find(accountId, id);
    if (!file) return null;
    const text = await files.textOf(accountId, id);
    if (!text) return { ...file, content: null };
    let content = '';
    for (let number = 0; ; number += 1) {
      const piece = await files.piece(text.id, number);
      if (piece === null) return { ...file, content };
      content += piece;
    }
  },
});
