/*
 * Requests to Ollama's own API (docs/api.md of ollama/ollama) that say which models there are, and
 * keep one in memory. Conversations use its OpenAI-compatible API.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '#shared/clock.ts';
import type { RequestOutgoing } from '../../egress/outgoing-request.ts';

/** Some thousand models. */
const MAX_ANSWER_BYTES = 4 * 1024 ** 2;

const Tags = Type.Object({
  models: Type.Array(
    Type.Object({
      name: Type.String(),
      digest: Type.String(),
      modified_at: Type.String(),
      /** The model runs at this other service. */
      remote_host: Type.Optional(Type.String()),
    }),
  ),
});
const Running = Type.Object({
  models: Type.Array(
    Type.Object({ name: Type.String(), size: Type.Number(), expires_at: Type.String() }),
  ),
});
const Shown = Type.Object({ capabilities: Type.Optional(Type.Array(Type.String())) });

export type InstalledModel = {
  /** With the tag: `llama3.2:latest`. */
  name: string;
  digest: string;
  modifiedAt: number;
  isRemote: boolean;
  /** Null: not in memory. */
  loaded: { bytes: number; until: number } | null;
};

type OllamaApiParts = {
  address: string;
  post: RequestOutgoing;
  /** Ends all requests. */
  closed: AbortSignal;
  clock: Clock;
};

export class OllamaApi {
  readonly #parts: OllamaApiParts;

  constructor(parts: OllamaApiParts) {
    this.#parts = parts;
  }

  async models(withinMs: number): Promise<InstalledModel[]> {
    const [tags, running] = await Promise.all([
      this.#ask(Tags, { path: '/api/tags', withinMs }),
      this.#ask(Running, { path: '/api/ps', withinMs }),
    ]);
    return tags.models.map(({ name, digest, modified_at, remote_host }) => {
      const inMemory = running.models.find((model) => model.name === name);
      return {
        name,
        digest,
        modifiedAt: Date.parse(modified_at),
        isRemote: Boolean(remote_host),
        loaded: inMemory ? { bytes: inMemory.size, until: Date.parse(inMemory.expires_at) } : null,
      };
    });
  }

  /** `completion`, `vision`, `tools`, `thinking`, `audio`, `embedding` and others. */
  async capabilities(model: string, withinMs: number): Promise<readonly string[]> {
    const shown = await this.#ask(Shown, { path: '/api/show', body: { model }, withinMs });
    return shown.capabilities ?? [];
  }

  /** Loads the model, or keeps it in memory for as long after its last use. */
  async load(model: string, keepAliveSeconds: number, withinMs: number): Promise<void> {
    const body = { model, keep_alive: keepAliveSeconds, stream: false };
    await this.#ask(Type.Object({}), { path: '/api/generate', body, withinMs });
  }

  async #ask<Answer extends TSchema>(
    schema: Answer,
    { path, body, withinMs }: { path: string; body?: object; withinMs: number },
  ): Promise<Static<Answer>> {
    const { address, post, closed, clock } = this.#parts;
    const tooLate = new AbortController();
    const cancel = clock.after(withinMs, () => tooLate.abort(new Error('timed out')));
    try {
      const answer = await post({
        url: `${address}${path}`,
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : '',
        signal: AbortSignal.any([tooLate.signal, closed]),
        maxBytes: MAX_ANSWER_BYTES,
      });
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      const value: unknown = JSON.parse(answer.body.toString('utf8'));
      if (!Value.Check(schema, value)) throw new Error(`${path} did not answer as Ollama`);
      return value;
    } finally {
      cancel();
    }
  }
}
