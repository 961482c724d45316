import { fork, type ChildProcess } from 'node:child_process';

type Request = { id: number; verb: string; args: unknown };
type Reply = { id: number; result?: unknown; error?: string };
type Handlers = Record<string, (args: never) => unknown>;

/** Milliseconds of the machine's clock, the same in all its processes. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** In a child: answers the bench's requests. Exits with the bench. */
export function answer(handlers: Handlers): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ id, verb, args }: Request) => {
    Promise.resolve()
      .then(() => handlers[verb]?.(args as never))
      .then(
        (result) => process.send?.({ id, result } satisfies Reply),
        (error: Error) => process.send?.({ id, error: error.stack ?? String(error) }),
      );
  });
  process.send?.({ id: 0 });
}

/**
 * A child process that measures or publishes, so that the bench itself does not affect the figures.
 */
export class Child {
  readonly process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(file: URL, env: Record<string, string> = {}) {
    this.process = fork(file, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.process.on('message', (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      if (reply.error) waiting?.reject(new Error(reply.error));
      else waiting?.resolve(reply.result);
      this.#waiting.delete(reply.id);
    });
    this.process.once('exit', (code, signal) => {
      for (const waiting of this.#waiting.values())
        waiting.reject(new Error(`${file.pathname} exited: ${code ?? signal}`));
    });
    this.#waiting.set(0, Promise.withResolvers());
  }

  get ready(): Promise<unknown> {
    return this.#waiting.get(0)?.promise ?? Promise.resolve();
  }

  get pid(): number {
    return this.process.pid!;
  }

  async ask<Result>(verb: string, args: unknown = null): Promise<Result> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.process.send({ id, verb, args });
    return waiting.promise as Promise<Result>;
  }

  kill(): void {
    // Pending requests fail with the reason for the end.
    this.#waiting.clear();
    this.process.kill('SIGKILL');
  }
}
