/* Knowledge files that control planes of either version make and both must be able to read. */
import { API_KEY } from '../../chaos/names.ts';

type File = { id: string; content: string };

/** `urls`: of the control planes that run. */
export class KnowledgeTexts {
  readonly #urls: () => string[];
  readonly #files: File[] = [];

  constructor(urls: () => string[]) {
    this.#urls = urls;
  }

  /** Makes a file with its text, and an uploaded file, at each control plane. */
  async add(): Promise<void> {
    for (const url of this.#urls()) {
      const content = `Text ${this.#files.length}. `.repeat(40_000);
      const file = { name: 'Text', format: 'text' };
      const wholeFile = await call<File>(url, 'POST', '', JSON.stringify({ ...file, content }));
      const upload = await call<File>(url, 'POST', '', JSON.stringify(file));
      await call(url, 'PUT', `/${upload.id}/upload?chunk_number=0`, content);
      await call(url, 'POST', `/${upload.id}/submit`);
      this.#files.push({ id: wholeFile.id, content }, { id: upload.id, content });
    }
  }

  /** Files that a control plane does not return with their texts. */
  async problems(): Promise<string[]> {
    const problems: string[] = [];
    for (const url of this.#urls())
      for (const { id, content } of this.#files) {
        const file = await call<File>(url, 'GET', `/${id}`);
        if (file.content !== content) problems.push(`${url} does not read the text of file ${id}`);
      }
    return problems;
  }
}

async function call<Body>(url: string, method: string, path: string, body?: string): Promise<Body> {
  const response = await fetch(`${url}/v1/knowledge-files${path}`, {
    method,
    headers: { 'x-api-key': API_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${response.url}: ${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Body;
}
