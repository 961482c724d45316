import type { Log } from '#shared/log.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import { installModel, isInstalled } from './install-model.ts';
import type { SpeechModel } from './models.ts';

export type ModelState =
  | { type: 'missing' }
  | { type: 'installed' }
  /** `share`: of the download, 0 to 1. */
  | { type: 'installing'; share: number }
  /** Another attempt continues. */
  | { type: 'failed'; problem: string };

type InstallationsOptions = {
  /** DATA_DIR, which the agent workers of this machine share. */
  dataDir: string;
  mirror: string | undefined;
  install?: typeof installModel;
  log: Log;
};

/** Installs speech models in the background, one after the other, and owns what is under way. */
export class Installations {
  readonly #options: InstallationsOptions;
  readonly #states = new Map<string, ModelState>();
  readonly #closed = new AbortController();
  #installing: Promise<void> = Promise.resolve();

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  stateOf(model: SpeechModel): ModelState {
    const type = isInstalled(this.#options.dataDir, model) ? 'installed' : 'missing';
    return this.#states.get(model.id) ?? { type };
  }

  start(model: SpeechModel): void {
    if (this.stateOf(model).type === 'installing') return;
    this.#states.set(model.id, { type: 'installing', share: 0 });
    this.#installing = this.#installing.then(() => this.#install(model));
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('the service stops'));
    await this.#installing;
  }

  async #install(model: SpeechModel): Promise<void> {
    const { dataDir, mirror, install = installModel, log } = this.#options;
    const { signal } = this.#closed;
    if (signal.aborted) return;
    const { id } = model;
    const onProgress = (share: number) => this.#states.set(id, { type: 'installing', share });
    try {
      await install(model, { dataDir, mirror, signal, onProgress });
      this.#states.delete(id);
      log.info({ model: id }, 'speech model installed');
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error, model: id }, 'a speech model could not be installed');
      const problem =
        error instanceof OperatorError ? error.message : 'See the log of the control plane.';
      this.#states.set(id, { type: 'failed', problem });
    }
  }
}
