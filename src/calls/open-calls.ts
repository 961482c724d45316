import { systemClock, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { requestOutgoing } from '../egress/outgoing-request.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { KnowledgeSearch } from '../knowledge/process/knowledge-search.ts';
import type { Records } from '../records/open-records.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';
import type { SessionRecords } from '../records/sessions/sessions.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import { AgentArrivals } from './agent-arrivals.ts';
import { announceLostAgents, type AgentLossParts } from './agent-losses.ts';
import type { CallEventMap } from './call-events.ts';
import { callRatings } from './call-ratings.ts';
import { traceAnswers } from './call-traces.ts';
import { CallBudgets, type AddressLimits } from './budgets/call-budgets.ts';
import { createCalls, type CallParts } from './calls.ts';
import { CallEvaluator } from './evaluation/call-evaluator.ts';
import { RulesEvaluator } from './evaluation/rules-evaluator.ts';
import { TranscriptEvaluator } from './evaluation/transcript-evaluator.ts';
import { defaultModels } from './models/default-models.ts';
import { embedderOf } from './models/embeddings.ts';
import { modelsOf, type ServiceModels } from './models/models.ts';
import { Ollama } from './models/ollama.ts';
import { PictureRefusals } from './models/picture-refusals.ts';
import { abilitiesIn, type AbilitiesParts } from './abilities.ts';
import { visitors, type VisitorLimits } from './visitors.ts';
import { createWorkerCalls, type WorkerCallsParts } from './worker-calls.ts';

/** Published clients wait 10 s for an answer. */
const AGENT_WAIT_MS = 5_000;

type CallsOptions = {
  records: Pick<
    Records,
    | 'accounts'
    | 'agents'
    | 'calls'
    | 'callMessages'
    | 'externalApis'
    | 'knowledgeFiles'
    | 'signingSecret'
    | 'spending'
  >;
  sessions: CallParts['sessions'] & {
    records: SessionRecords;
    /** Events of the sessions that this control plane owns. */
    events: SessionEvents;
    rooms: AgentLossParts['rooms'] & CallParts['rooms'];
  };
  outbox: Outbox;
  /** Avatars, knowledge and models of agents. */
  agents: {
    avatars: CallParts['avatars'] & Pick<WorkerCallsParts['models'], 'voiceOf'>;
    knowledge: Pick<KnowledgeSearch, 'find' | 'prepare'>;
    /** The default models. */
    service: ServiceModels;
    /** Where Ollama is looked for, if the service has no language model. Null: nowhere. */
    ollamaAt: { address: string; wanted: string | undefined } | null;
    outgoing: Outgoing;
  } & Pick<AbilitiesParts, 'canRecognize' | 'installing'>;
  limits: VisitorLimits & {
    /** Budget of the visitors of one address for a day. */
    perAddress: AddressLimits;
    /** Longest wait of a request for the call's agent. */
    agentWaitMs?: number | undefined;
  };
  /** Null: nothing is traced. */
  tracer: Tracer | null;
  clock: Clock;
  log: Log;
};

export function openCalls(options: CallsOptions) {
  const { records, sessions, outbox, limits, tracer, clock, log } = options;
  const { avatars, knowledge, service, ollamaAt, outgoing } = options.agents;
  const { events, rooms } = sessions;
  const { calls: callRecords, callMessages, agents, externalApis } = records;
  announceLostAgents({ events, calls: callRecords, rooms, log });
  const callEvents = new TypedEvents<CallEventMap>((err) => log.error({ err }, 'listener failed'));
  if (tracer) traceAnswers(callEvents, tracer);
  const withinMs = limits.agentWaitMs ?? AGENT_WAIT_MS;
  const post = { own: requestOutgoing(outgoing), service: requestOutgoing(null) };
  const ollama =
    ollamaAt && !service.llm ? new Ollama({ ...ollamaAt, post: post.service, clock, log }) : null;
  const budgets = new CallBudgets({
    records,
    outbox,
    callEvents,
    addressLimits: limits.perAddress,
    hasServiceModel: () => service.llm !== null || ollama?.hadModel === true,
    clock,
    log,
  });
  const calls = createCalls({
    ...options,
    avatars,
    rooms,
    callEvents,
    arrivals: new AgentArrivals({ events, clock, withinMs }),
    limits: { budgets, visitors: visitors(callRecords, limits, records.signingSecret) },
  });
  const pictureRefusals = new PictureRefusals();
  const models = modelsOf({ externalApis, service, ollama, pictureRefusals, outgoing, log });
  // A thread works in real time, whatever clock the calls have.
  const rules = new RulesEvaluator(systemClock);
  const evaluator = new CallEvaluator({
    events,
    calls: callRecords,
    messages: callMessages,
    budgets,
    transcripts: new TranscriptEvaluator({
      agents,
      budgets,
      modelsOf: models,
      post,
      rules,
      clock,
      log,
    }),
    outbox,
    clock,
    log,
  });
  return {
    calls,
    callRatings: callRatings({ calls: callRecords, outbox, clock }),
    callEvents,
    workerCalls: createWorkerCalls({
      records,
      knowledge,
      sessions: sessions.records,
      lines: calls,
      budgets,
      models: {
        modelsOf: models,
        embedderOf: embedderOf({ externalApis, service, post, clock }),
        pictureRefusals,
        ollama,
        voiceOf: avatars.voiceOf,
      },
      clock,
    }),
    abilitiesIn: abilitiesIn({ ...options.agents, ollama, pictureRefusals, clock, log }),
    defaultModels: () => defaultModels(service, ollama),
    /** Posts to allowed addresses. */
    post: post.own,
    start() {
      evaluator.start();
      budgets.start();
    },
    async close() {
      await evaluator.close();
      await budgets.close();
      await ollama?.close();
    },
  };
}
