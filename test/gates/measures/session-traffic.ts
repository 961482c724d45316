import path from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { buildApp, NORA } from '../../support/api/build-app.ts';
import { settle } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { WebhookCalls } from '../../support/api/webhook-calls.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';
import type { Figures } from '../baseline.ts';

const EXECUTING = ['all', 'get', 'run', 'iterate'] as const;

/**
 * One session from the opening request to the delivery of its last webhook, on the real control
 * plane with SQLite. Counts worker messages in both directions, statements and webhooks in each
 * step.
 */
export async function sessionTraffic(): Promise<Figures> {
  const sink = await WebhookSink.open();
  const service = await buildApp({ agentSlots: 0, env: { ALLOWED_NETWORKS: '127.0.0.1' } });
  const records = new DatabaseSync(path.join(service.place.dataDir, 'troupe.sqlite'), {
    readOnly: true,
  });
  const waiting = records.prepare(
    "select count(*) as count from deliveries where status = 'pending'",
  );
  const sentTypes: WorkerMessage['type'][] = [];
  const worker = service.workers[0]!;
  const say = worker.say.bind(worker);
  worker.say = (message) => {
    sentTypes.push(message.type);
    say(message);
  };
  const statements = new Statements();
  const figures: Figures = {};
  try {
    const webhooks = new WebhookCalls(service);
    await webhooks.created(sink);
    const open = () => service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const perform = async () => {
      await step('open', async () => {
        id = (await open()).json<{ id: string }>().id;
        await worker.next('assign');
        await worker.atRest();
      });
      await step('start', async () => {
        await worker.started(worker.performing.get(id)!.placement);
        await worker.atRest();
      });
      await webhook('webhook of start');
      await step('read', async () => void (await service.call('GET', `/v1/sessions/${id}`)));
      await step('end', async () => {
        await service.call('POST', `/v1/sessions/${id}/end`);
        await worker.next('end');
        await worker.atRest();
      });
      await webhook('webhook of end');
    };
    const webhook = (name: string) =>
      step(name, async () => {
        webhooks.wake();
        await until(() => statements.aside(() => waiting.get()!.count === 0));
        // The webhook queue looks for more deliveries.
        await settle();
      });
    let id = '';
    const step = async (name: string, act: () => Promise<void>) => {
      const messagesBefore = worker.messages.length;
      const sentBefore = sentTypes.length;
      const received = sink.received.length;
      const counted = await statements.during(act);
      for (const [statement, count] of Object.entries(counted))
        figures[`${name}: ${statement}`] = count;
      for (const type of sentTypes.slice(sentBefore))
        raise(figures, `${name}: worker says ${type}`);
      for (const { type } of worker.messages.slice(messagesBefore))
        raise(figures, `${name}: worker hears ${type}`);
      for (const { payload } of sink.received.slice(received))
        raise(figures, `${name}: webhook ${payload.type}`);
    };
    // Statements that run only once are done after the first session.
    await perform();
    for (const name of Object.keys(figures)) delete figures[name];
    await perform();
    return figures;
  } finally {
    statements.stop();
    records.close();
    await service.close();
    await sink.close();
  }
}

/** Counts the statements of SQLite, by verb and table. */
class Statements {
  #counted: Figures | null = null;
  readonly #originals = EXECUTING.map((name) => [name, StatementSync.prototype[name]] as const);

  constructor() {
    const count = (sql: string) => this.#counted && raise(this.#counted, shortened(sql));
    for (const [name, execute] of this.#originals) {
      Object.defineProperty(StatementSync.prototype, name, {
        configurable: true,
        writable: true,
        value(this: StatementSync, ...values: never[]) {
          count(this.sourceSQL);
          return Reflect.apply(execute, this, values);
        },
      });
    }
  }

  async during(act: () => Promise<void>): Promise<Figures> {
    const counted: Figures = {};
    this.#counted = counted;
    await act();
    this.#counted = null;
    return counted;
  }

  /** Runs without counting. */
  aside<Result>(act: () => Result): Result {
    const counted = this.#counted;
    this.#counted = null;
    try {
      return act();
    } finally {
      this.#counted = counted;
    }
  }

  stop() {
    for (const [name, execute] of this.#originals)
      Object.defineProperty(StatementSync.prototype, name, { value: execute });
  }
}

function shortened(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1] ?? sql;
  const table = /\b(?:from|into|update)\s+"?(\w+)/.exec(sql)?.[1];
  return table ? `${verb} ${table}` : verb;
}

function raise(figures: Figures, name: string) {
  figures[name] = (figures[name] ?? 0) + 1;
}
