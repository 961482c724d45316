import { systemClock, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { requestOutgoing } from '../egress/outgoing-request.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { Knowledge } from '../knowledge/passages.ts';
import type { Records } from '../records/open-records.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';
import type { SessionRecords } from '../records/sessions/sessions.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import { AgentArrivals } from './agent-arrivals.ts';
import { announceLostAgents, type AgentLossParts } from './agent-losses.ts';
import type { CallEventMap } from './call-events.ts';
import { traceAnswers } from './call-traces.ts';
import { createCalls, type CallParts } from './calls.ts';
import { CallEvaluator } from './evaluation/call-evaluator.ts';
import { RulesEvaluator } from './evaluation/rules-evaluator.ts';
import { embedderOf } from './models/embeddings.ts';
import { modelsOf, type ServiceModels } from './models/models.ts';
import { recognizesSpeech, type RecognizesSpeechParts } from './speech-recognition.ts';
import { visitors, type VisitorLimits } from './visitors.ts';
import { createWorkerCalls } from './worker-calls.ts';

/** Published clients wait 10 s for an answer. */
const AGENT_WAIT_MS = 5_000;

type CallsOptions = {
  records: Pick<Records, 'agents' | 'calls' | 'callMessages' | 'externalApis' | 'knowledgeFiles'>;
  sessionRecords: SessionRecords;
  outbox: Outbox;
  avatars: CallParts['avatars'];
  sessionCreation: CallParts['sessionCreation'];
  sessionEnding: CallParts['sessionEnding'];
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  rooms: AgentLossParts['rooms'] & CallParts['rooms'];
  knowledge: Knowledge;
  /** The default models of agents. */
  service: ServiceModels;
  canRecognize: RecognizesSpeechParts['canRecognize'];
  outgoing: Outgoing;
  visitorLimits: VisitorLimits;
  /** Longest wait of a request for the call's agent. */
  agentWaitMs?: number | undefined;
  /** Null: nothing is traced. */
  tracer: Tracer | null;
  /** Hashes the addresses of visitors. */
  secret: Buffer;
  clock: Clock;
  log: Log;
};

export function openCalls(options: CallsOptions) {
  const { records, sessionRecords, outbox, avatars, events, rooms } = options;
  const { sessionCreation, sessionEnding } = options;
  const { knowledge, service, canRecognize, outgoing, visitorLimits, secret } = options;
  const { agentWaitMs = AGENT_WAIT_MS, tracer, clock, log } = options;
  const { agents, externalApis, knowledgeFiles } = records;
  const parts = { calls: records.calls, messages: records.callMessages, agents, outbox };
  announceLostAgents({ events, calls: records.calls, rooms, log });
  const callEvents = new TypedEvents<CallEventMap>((err) => log.error({ err }, 'listener failed'));
  if (tracer) traceAnswers(callEvents, tracer);
  const calls = createCalls({
    ...parts,
    callEvents,
    avatars,
    sessionCreation,
    sessionEnding,
    rooms,
    arrivals: new AgentArrivals({ events, clock, withinMs: agentWaitMs }),
    visitors: visitors(records.calls, visitorLimits, secret),
  });
  const models = modelsOf({ externalApis, service, outgoing, log });
  const post = { own: requestOutgoing(outgoing), service: requestOutgoing(null) };
  const evaluator = new CallEvaluator({
    ...parts,
    events,
    modelsOf: models,
    // A thread works in real time, whatever clock the calls have.
    rules: new RulesEvaluator(systemClock),
    post,
    clock,
    log,
  });
  return {
    calls,
    callEvents,
    workerCalls: createWorkerCalls({
      ...parts,
      knowledgeFiles,
      knowledge,
      sessions: sessionRecords,
      lines: calls,
      modelsOf: models,
      embedderOf: embedderOf({ externalApis, service, post, clock }),
      clock,
    }),
    recognizesSpeech: recognizesSpeech({ service, canRecognize, log }),
    /** Posts to allowed addresses. */
    post: post.own,
    start: () => evaluator.start(),
    close: () => evaluator.close(),
  };
}
