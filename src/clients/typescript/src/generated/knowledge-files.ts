// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type KnowledgeFilesListParams = {
  limit?: number;
};

export type KnowledgeFilesUploadParams = {
  /**
   * Position of the chunk in the file, counted from 0; or from 1 if the file is submitted with
   * `chunks`.
   */
  chunk_number: number;
};

export type KnowledgeFilesSubmitParams = {
  /** How many chunks were uploaded. Any other number of stored chunks is a 400. */
  chunks?: number;
  /** Bytes of all chunks together. Any other sum is a 400. */
  size?: number;
};

export class KnowledgeFilesResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create knowledge file. A text file given with its `content` is available at once. Any other file
   * is uploaded in chunks and then submitted. The plan limits how many files and bytes an account
   * may store.
   */
  create(
    body: models.KnowledgeFileRequest,
    options: RequestOptions = {},
  ): Promise<models.KnowledgeFile> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/knowledge-files', body, takesKey: true },
      options,
    );
  }

  /** List knowledge files. Most recent first, without their texts. */
  list(
    query: KnowledgeFilesListParams = {},
    options: RequestOptions = {},
  ): Pages<models.ListedKnowledgeFile> {
    return this.#transport.pages({ method: 'GET', path: '/v1/knowledge-files', query }, options);
  }

  /** Retrieve knowledge file. Includes the text once the file is available. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.KnowledgeFile> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/knowledge-files/${segment(id)}` },
      options,
    );
  }

  /** Delete knowledge file. Refused while an agent uses it; the error names the agents. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/knowledge-files/${segment(id)}` },
      options,
    );
  }

  /**
   * Upload knowledge file chunk. The bytes of one chunk, of any content type. Chunks may arrive in
   * any order; a repeated number replaces the earlier chunk. At most 8 MiB per chunk and 64 MiB per
   * file. A file that gets no chunk for 24 hours and is not submitted is deleted.
   */
  upload(
    id: string,
    body: BodyInit,
    query: KnowledgeFilesUploadParams,
    options: RequestOptions = {},
  ): Promise<void> {
    return this.#transport.nothing(
      {
        method: 'PUT',
        path: `/v1/knowledge-files/${segment(id)}/upload`,
        query,
        body,
        bodyType: 'bytes',
      },
      options,
    );
  }

  /**
   * Submit knowledge file. Joins the chunks, extracts the text and makes the file available. A file
   * that is already available is returned unchanged. State their totals to be sure that none is
   * lost. 400 names a missing chunk or says why the bytes do not match the format: text must be
   * UTF-8; at most 5000 pages of a PDF are read, within 20 seconds, and a PDF without text is
   * refused. An account may submit 16 files at a time, of which 2 PDFs.
   */
  submit(
    id: string,
    query: KnowledgeFilesSubmitParams = {},
    options: RequestOptions = {},
  ): Promise<models.AvailableKnowledgeFile> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/knowledge-files/${segment(id)}/submit`, query },
      options,
    );
  }
}
