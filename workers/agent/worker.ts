import { availableParallelism, hostname } from 'node:os';
import path from 'node:path';
import { initializeLogger } from '@livekit/agents';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { openTracer, traceIdsFor } from '#shared/tracing/tracer.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { newWorkerIdentity } from '#protocol/worker/worker-id.ts';
import { ControlLink } from '../runtime/control-link.ts';
import { serve } from '../runtime/lifetime.ts';
import { startMediaEngine } from '../runtime/media-engine.ts';
import { Slots } from '../runtime/slots.ts';
import { tracedPerform } from '../runtime/traces/traced-perform.ts';
import { callControl } from './call-control.ts';
import { MediaServerRoom } from './call-room.ts';
import { loadAgentConfig } from './config.ts';
import { Conversation } from './conversation.ts';
import { Dialogue } from './dialogue/dialogue.ts';
import { openSpeechModels } from './stt/speech-models.ts';
import { SpeechRecognition } from './stt/speech-recognition.ts';
import { Voices } from './voices/voices.ts';

/**
 * Connects this process to the control plane and runs its assigned conversations until it is
 * stopped.
 */
export async function runAgentWorker(): Promise<void> {
  const config = loadAgentConfig(process.env, availableParallelism());
  const { CONTROL_URL: url, WORKER_TOKEN: token } = config;
  const clock = systemClock;
  const traceIds = traceIdsFor(config);
  const log = createLog({ name: 'agent-worker', level: config.LOG_LEVEL, traceIds });
  // Lower levels log what people say.
  initializeLogger({ pretty: false, level: 'error' });
  startMediaEngine();
  const identity = newWorkerIdentity('agent', token);
  const tracer = await openTracer({
    settings: config,
    process: 'agent-worker',
    instanceId: identity.workerId,
    clock,
    log,
  });
  /** Installed by `npm start` (src/start/natural-voice.ts), or by src/start/install-speech.ts. */
  const speechFolder = path.resolve(config.SPEECH_DIR ?? config.DATA_DIR);
  const pythonFolder = path.join(speechFolder, 'voice');
  const hearingFolder = path.join(speechFolder, 'hearing');
  const onChange = () => link.changeAbilities(recognition.abilities);
  const recognition = new SpeechRecognition(
    openSpeechModels(config, { hearingFolder, pythonFolder, onChange, clock, log }),
  );
  const voices = new Voices({
    naturalVoiceFolder: config.VOICE === 'hibari' ? pythonFolder : null,
    clock,
    log,
  });

  const link = new ControlLink({
    url,
    token,
    facts: {
      ...identity,
      kind: 'agent',
      slots: config.AGENT_SLOTS,
      transports: ['mediaserver'],
      avatars: [],
      abilities: recognition.abilities,
      pool: config.WORKER_POOL,
      version: SOFTWARE_VERSION,
      host: hostname(),
    },
    clock,
    log,
  });
  const slots = new Slots({
    link,
    clock,
    log,
    drain: { limitMs: config.DRAIN_SECONDS * 1000, afterSessions: config.RENEW_AFTER_SESSIONS },
    perform: tracedPerform({ tracer, traceIds, clock }, (assign, listener) => {
      const { callId, room } = assign;
      if (callId === undefined) throw new Error('assignment without a call');
      return new Conversation(assign, listener, {
        clock,
        log,
        control: callControl({ url, token, identity }, callId, { clock, log }),
        voiceOf: (brief) => voices.voiceOf(brief),
        recognizerFor: (brief) => recognition.recognizerFor(brief),
        openRoom: ({ user, faceIdentity: avatarIdentity, lines, llm }, { hears, budget }) =>
          new MediaServerRoom({
            ...room,
            userIdentity: user.identity,
            avatarIdentity,
            texts: {
              earlierTexts: lines.filter(({ sender }) => sender === 'user').length,
              budget,
            },
            abilities: { hears, sees: llm?.sees ?? false },
            clock,
            log,
          }),
        openDialogue: (parts) => new Dialogue(parts),
        userGraceMs: config.USER_GRACE_SECONDS * 1000,
      });
    }),
  });
  const close = async () => {
    recognition.close();
    await voices.close();
    await tracer?.close();
  };
  serve({ slots, link, clock, log, close });
}
