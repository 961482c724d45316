import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { delay } from '#shared/clock.ts';
import { venvPython } from '#shared/process/venv-python.ts';
import { LanguageModel, type LanguageModelOptions } from './language-model.ts';

const LOOK_EVERY_MS = 3_000;
const DECIDE_AGAIN_MS = 60_000;

type InstalledModelsOptions = Pick<LanguageModelOptions, 'sampleSpeech' | 'clock' | 'log'> & {
  /** DATA_DIR/speech-models: models, and the Python environment that runs them. */
  folder: string;
  /** Other models can be used now. */
  onChange: () => void;
};

/**
 * The speech models of other languages, which are installed while this process runs
 * (src/speech-models). Owns them.
 */
export class InstalledModels {
  readonly #options: InstalledModelsOptions;
  readonly #models = new Map<string, LanguageModel>();
  /** Removed from the disk. Calls that are under way use them while their programs run. */
  readonly #removed: LanguageModel[] = [];
  readonly #closed = new AbortController();
  readonly #stopLooking: () => void;
  /** One after the other, for the memory and the measurement. */
  #deciding: Promise<void> = Promise.resolve();

  constructor(options: InstalledModelsOptions) {
    this.#options = options;
    this.#stopLooking = options.clock.every(LOOK_EVERY_MS, () => this.#look());
    this.#look();
  }

  /** Those for fewer languages first: they know them better. */
  get models(): LanguageModel[] {
    return [...this.#models.values()].toSorted((a, b) => a.languages.length - b.languages.length);
  }

  close(): void {
    this.#closed.abort(new Error('closed'));
    this.#stopLooking();
    for (const model of [...this.#models.values(), ...this.#removed]) model.close();
  }

  #look(): void {
    const { folder, onChange } = this.#options;
    const names = existsSync(path.join(folder, 'python', 'ready')) ? modelsIn(folder) : [];
    for (const name of names.filter((each) => !this.#models.has(each))) this.#add(name);
    const removedNames = [...this.#models.keys()].filter((name) => !names.includes(name));
    for (const name of removedNames) {
      this.#removed.push(this.#models.get(name)!);
      this.#models.delete(name);
    }
    if (removedNames.length > 0) onChange();
  }

  #add(name: string): void {
    const { folder, sampleSpeech, clock, log } = this.#options;
    const modelFolder = path.join(folder, name);
    const facts = factsIn(modelFolder);
    if (!facts) return;
    const model = new LanguageModel({
      folder: modelFolder,
      ...facts,
      python: venvPython(path.join(folder, 'python')),
      sampleSpeech,
      clock,
      log: log.child({ model: name }),
    });
    this.#models.set(name, model);
    this.#deciding = this.#deciding.then(() => this.#decide(model));
  }

  async #decide(model: LanguageModel): Promise<void> {
    const { onChange, clock, log } = this.#options;
    const { signal } = this.#closed;
    if (signal.aborted || ![...this.#models.values()].includes(model)) return;
    try {
      await model.decide();
      if (!signal.aborted) onChange();
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'a speech model does not work');
      // Others need not wait for it.
      delay(clock, DECIDE_AGAIN_MS, signal).then(
        () => (this.#deciding = this.#deciding.then(() => this.#decide(model))),
        () => {},
      );
    }
  }
}

/** Names of the complete ones. */
const modelsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) =>
    ['model.json', 'ready'].every((file) => existsSync(path.join(folder, name, file))),
  );

type Facts = Pick<LanguageModelOptions, 'languages' | 'isStreaming'>;

/** Null: the model is being removed. */
function factsIn(folder: string): Facts | null {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'model.json'), 'utf8')) as Facts;
  } catch {
    return null;
  }
}
