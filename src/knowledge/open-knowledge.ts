import { systemClock, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Records } from '../records/open-records.ts';
import { KnowledgeSearch } from './process/knowledge-search.ts';
import { PdfReader } from './pdf-reader.ts';
import { StaleUploads } from './stale-uploads.ts';
import { Uploads } from './upload.ts';

type KnowledgeParts = {
  records: Pick<Records, 'knowledgeFiles' | 'passageVectors' | 'staleUploads'>;
  clock: Clock;
  log: Log;
};

export function openKnowledge({ records, clock, log }: KnowledgeParts) {
  const { knowledgeFiles: files, passageVectors: vectors } = records;
  const pdfReader = new PdfReader(clock);
  const knowledge = new KnowledgeSearch({ files, vectors, clock: systemClock, log });
  const staleUploads = new StaleUploads({ records: records.staleUploads, clock, log });
  const uploads = new Uploads({ files, pdfs: pdfReader, clock });
  return {
    knowledge,
    uploads,
    start: () => staleUploads.start(),
    /** Ends the uploads in progress. Call it before the HTTP server waits for its requests. */
    stopReading() {
      uploads.close();
      return pdfReader.close();
    },
    async close() {
      await staleUploads.close();
      await knowledge.close();
    },
  };
}
