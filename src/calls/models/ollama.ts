/*
 * Ollama gives agents a language model without any setting. Its models come and go, so requests ask
 * for them, and no timer does.
 */
import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { RequestOutgoing } from '../../egress/outgoing-request.ts';
import { OllamaApi, type InstalledModel } from './ollama-api.ts';

type OllamaModel = {
  /** As people write it: `llama3.2`, `qwen3:8b`. */
  name: string;
  capabilities: readonly string[];
  /** Null: not in memory. */
  loadedUntil: number | null;
};

/** Null: there is no Ollama. `installed`: its models that can talk; `model` is one of them. */
export type OllamaState = { model: OllamaModel | null; installed: readonly string[] } | null;

type OllamaParts = {
  address: string;
  /** OLLAMA_MODEL. */
  wanted: string | undefined;
  post: RequestOutgoing;
  clock: Clock;
  log: Log;
};

/** A state is asked for again when it is this old. */
const FRESH_MS = 5_000;
const ABSENT_MS = 60_000;
/** No request waits longer. While a busy Ollama does not answer, its last state holds. */
const WAIT_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;
/** How long a model stays in memory after its last use. Ollama's own default is half of it. */
const KEEP_SECONDS = 600;
const KEEP_EVERY_MS = 240_000;
/** A large model from a slow disk. */
const LOAD_WITHIN_MS = 300_000;

export class Ollama {
  readonly #parts: OllamaParts;
  readonly #api: OllamaApi;
  readonly #closed = new AbortController();
  #state: OllamaState = null;
  #askedAt = -Infinity;
  #asking: Promise<void> | null = null;
  #loading: Promise<void> | null = null;
  #keptAt = -Infinity;
  /** By digest, because `/api/show` reads files. */
  #capabilities: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(parts: OllamaParts) {
    this.#parts = parts;
    this.#api = new OllamaApi({ ...parts, closed: this.#closed.signal });
  }

  state(): Promise<OllamaState> {
    return this.#stateWithin(this.#state ? FRESH_MS : ABSENT_MS);
  }

  /** The models of a call that begins now. */
  async models(): Promise<Pick<CallBrief, 'llm' | 'stt'>> {
    const state = await this.#stateWithin(FRESH_MS);
    if (!state?.model) return { llm: null, stt: null };
    const { name: model, capabilities } = state.model;
    const endpoint = { url: `${this.#parts.address}/v1`, key: null, model };
    const canThink = capabilities.includes('thinking');
    return {
      // A spoken answer cannot wait until a small machine has thought.
      llm: {
        ...endpoint,
        temperature: null,
        sees: capabilities.includes('vision'),
        ...(canThink && { reasoningEffort: 'none' as const }),
      },
      stt: capabilities.includes('audio') ? { ...endpoint, isFallback: true } : null,
    };
  }

  /** Whether the last answer named a model. */
  get hadModel(): boolean {
    return this.#state?.model != null;
  }

  /** Loads the model when a call begins, and keeps it in memory while calls go on. */
  keepLoaded({ isNewCall }: { isNewCall: boolean }): void {
    const { clock, log } = this.#parts;
    if (!isNewCall && clock.elapsed() - this.#keptAt < KEEP_EVERY_MS) return;
    this.#keptAt = clock.elapsed();
    this.#loading ??= this.#load()
      .catch((err: unknown) => {
        if (!this.#closed.signal.aborted) log.warn({ err }, 'model of Ollama not loaded');
      })
      .finally(() => {
        this.#loading = null;
      });
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('closed'));
    await this.#asking;
    await this.#loading;
  }

  async #load(): Promise<void> {
    const state = await this.#stateWithin(FRESH_MS);
    if (!state?.model || this.#closed.signal.aborted) return;
    const { name, loadedUntil } = state.model;
    const leftMs = loadedUntil === null ? 0 : loadedUntil - this.#parts.clock.now();
    // Its owner may keep it for longer.
    if (leftMs > (KEEP_SECONDS * 1_000) / 2) return;
    await this.#api.load(name, KEEP_SECONDS, LOAD_WITHIN_MS);
    this.#askedAt = -Infinity;
  }

  async #stateWithin(maxAgeMs: number): Promise<OllamaState> {
    const { clock } = this.#parts;
    if (clock.elapsed() - this.#askedAt >= maxAgeMs && !this.#closed.signal.aborted) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null;
      });
      // A state that comes later is for the next request.
      await inTime(clock, WAIT_MS, this.#asking, late).catch(() => {});
    }
    return this.#state;
  }

  async #ask(): Promise<void> {
    const { wanted, clock, log } = this.#parts;
    const hadModel = this.#state?.model?.name ?? null;
    try {
      const models = await this.#describe(await this.#api.models(ANSWER_WITHIN_MS));
      const talking = models.filter(({ capabilities }) => capabilities.includes('completion'));
      this.#state = {
        model: choose(talking, wanted),
        installed: talking.map(({ name }) => plainName(name)),
      };
    } catch (err) {
      log.debug({ err }, 'Ollama does not answer');
      this.#state = null;
    }
    this.#askedAt = clock.elapsed();
    const model = this.#state?.model?.name ?? null;
    if (model === hadModel) return;
    log.info({ model, wanted }, 'default model of agents changed');
  }

  async #describe(models: readonly InstalledModel[]): Promise<DescribedModel[]> {
    const described = await Promise.all(
      models.map(async (model) => ({ ...model, capabilities: await this.#capabilitiesOf(model) })),
    );
    this.#capabilities = new Map(
      described.flatMap(({ digest, capabilities }) =>
        capabilities.length > 0 ? [[digest, capabilities]] : [],
      ),
    );
    return described;
  }

  async #capabilitiesOf({ name, digest }: InstalledModel): Promise<readonly string[]> {
    const capabilities = this.#capabilities.get(digest);
    if (capabilities) return capabilities;
    try {
      return await this.#api.capabilities(name, ANSWER_WITHIN_MS);
    } catch (err) {
      // It may have been removed since it was listed.
      this.#parts.log.debug({ err, model: name }, 'capabilities of a model unknown');
      return [];
    }
  }
}

type DescribedModel = InstalledModel & { capabilities: readonly string[] };

/**
 * The wanted model, else the largest in memory, else the newest. Conversations stay on the machine:
 * a model that runs elsewhere must be wanted.
 */
function choose(models: readonly DescribedModel[], wanted: string | undefined): OllamaModel | null {
  const isWanted = ({ name }: DescribedModel) =>
    wanted !== undefined && plainName(name) === plainName(wanted);
  const [best] = models
    .filter(({ isRemote }) => !isRemote)
    .toSorted(
      (a, b) => (b.loaded?.bytes ?? 0) - (a.loaded?.bytes ?? 0) || b.modifiedAt - a.modifiedAt,
    );
  const chosen = models.find(isWanted) ?? best;
  if (!chosen) return null;
  const { name, capabilities, loaded } = chosen;
  return { name: plainName(name), capabilities, loadedUntil: loaded?.until ?? null };
}

/** Ollama adds this tag to names without one. */
const plainName = (name: string): string => name.replace(/:latest$/, '');

const late = (): Error => new Error('Ollama takes too long');
