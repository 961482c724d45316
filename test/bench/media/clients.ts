/* Unmodified plugins and services: sound at their viewers, and reported positions. */
import { HEARD_WITHIN_S, toneErrors } from '../../stage/tone-errors.ts';
import {
  CONVERSATION,
  converse as conversePipecat,
  converseInARoom,
  converseThroughAKill,
  CUT_S,
  IN_A_ROOM,
  WHOLE,
} from '../../stage/vendors/pipecat-conversations.ts';
import {
  CUT_S as OUTBOUND_CUT_S,
  OutboundStage,
  TONE_S,
  VOICE_S,
} from '../../stage/outbound-stage.ts';
import { converseInPython } from '../../stage/vendors/python-conversation.ts';
import {
  converse as converseVendor,
  LAST_S,
  WHOLE_S,
} from '../../stage/vendors/vendor-conversation.ts';
import { NodeAgent } from '../../support/agents/node-agent.ts';
import { needPipecat } from '../../support/agents/pipecat-pipeline.ts';
import { isPythonPluginInstalled, PYTHON_PLUGINS } from '../../support/agents/python-agent.ts';
import { CURRENT } from '../../support/agents/vendor-faces.ts';
import { isPythonThere, roomOf, VendorStage } from '../../support/agents/vendor-stage.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { NO_AGENTS, startService, type RunningService } from '../../support/processes/service.ts';
import type { Measure } from '../bench.ts';
import { row, type Row } from '../report/row.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

/** A killed worker's last report is slightly old. */
const HEARD_WITHIN_OF_KILL_S = 0.2;
/** Whole conversations, which send all kinds of requests that vendors have. */
const VENDORS = ['anam', 'simli', 'tavus'];
/** From a worker's death to the first picture of another. */
const FACE_BACK_MS = 2_000;

const heardRow = (subject: string, errorsMs: number[]): Row =>
  row({
    what: `${subject}: beginning, end and length of what was heard, minus what was said`,
    unit: 'ms',
    values: errorsMs,
    goal: { of: 'worst', within: 1_000 * HEARD_WITHIN_S },
  });

const positionRow = (subject: string, aheadS: number[], withinS = HEARD_WITHIN_S): Row =>
  row({
    what: `${subject}: position reported, minus what a viewer heard`,
    unit: 'ms',
    values: aheadS.map((seconds) => 1_000 * seconds),
    goal: { of: 'worst', within: 1_000 * withinS },
  });

export async function nodePlugin(): Promise<Row[]> {
  const service = await startService({ env: NO_AGENTS });
  const agent = new NodeAgent(service);
  const viewer = new AvatarViewer(NodeAgent.avatar);
  const positionError = async () => {
    const { playback_position } = await agent.next('playback_finished');
    await agent.next('said');
    await viewer.hearsNothingFor(0.5);
    return playback_position - viewer.lastHeard()!;
  };
  try {
    await agent.start();
    await viewer.join(service.mediaServer.url, await agent.token('viewer'));
    await viewer.sees(25);
    agent.tell({ say: 3 });
    const wholeError = await positionError();
    viewer.forget();
    agent.tell({ say: 30 });
    await viewer.hears(2);
    agent.tell({ interrupt: true });
    const cutError = await positionError();
    viewer.forget();
    agent.tell({ say: 30 });
    await viewer.hears(2);
    await service.killProgram('worker');
    const killError = await positionError();
    return [
      positionRow('an utterance by the Node plugin, whole and cut', [wholeError, cutError]),
      positionRow('an utterance whose worker is killed', [killError], HEARD_WITHIN_OF_KILL_S),
    ];
  } finally {
    await viewer.leave();
    await agent.leave();
    await service.stop();
  }
}

export const pythonPlugin: Measure = async ({ service }) => {
  const plugins = PYTHON_PLUGINS.filter(isPythonPluginInstalled);
  if (plugins.length === 0) throw new Error('TROUPE_PYTHON_CLIENTS names no Python environments');
  const positionErrorsS: number[] = [];
  for (const plugin of plugins) {
    const { cutReport: cut, lastHeard } = await converseInPython(plugin, service);
    positionErrorsS.push(cut.position - lastHeard);
  }
  return [positionRow('an utterance that a Python plugin cuts', positionErrorsS)];
};

export const vendors: Measure = async ({ service }, say) => {
  if (!isPythonThere) throw new Error('TROUPE_PYTHON_CLIENTS names no environments of vendors');
  const stage = new VendorStage(service);
  const faces = CURRENT.filter(({ vendor, isVariant }) => VENDORS.includes(vendor) && !isVariant);
  const toneErrorsMs: number[] = [];
  const positionErrorsS: number[] = [];
  try {
    const agent = await stage.startPython('bench', faces, 'current');
    for (const face of faces) {
      const room = roomOf(face);
      await stage.dispatch('bench', room);
      const { utterances, parts, seenMs } = await converseVendor(
        { service, stage },
        agent,
        face,
        room,
      );
      const [wholeTone, cutTone, lastTone] = utterances;
      toneErrorsMs.push(...toneErrors(wholeTone, WHOLE_S), ...toneErrors(lastTone, LAST_S));
      positionErrorsS.push(parts!.cutReport.position - (cutTone?.endSecond ?? 0));
      say(`${face.vendor}: seen after ${seenMs.toFixed(0)} ms`);
    }
  } finally {
    await stage.close();
  }
  const subject = `plugins of ${VENDORS.join(', ')}`;
  return [
    heardRow(subject, toneErrorsMs),
    positionRow(`${subject}, a cut utterance`, positionErrorsS),
  ];
};

export const pipecat: Measure = async ({ service }) => {
  needPipecat();
  const rows: Row[] = [];
  for (const { vendor, silentMs } of [
    { vendor: 'protoface', silentMs: 150 },
    // It fades its own copy of the speech out.
    { vendor: 'ojin', silentMs: 1_000 },
  ]) {
    const { utterances, silentAfterMs } = await conversePipecat(
      service,
      vendor,
      FIRST_AVATAR.alias,
    );
    const cutAt = CONVERSATION.findIndex(({ cut }) => cut !== undefined);
    const wholeErrorsMs = WHOLE.flatMap((seconds, i) => toneErrors(utterances[i], seconds));
    rows.push(
      heardRow(`Pipecat with ${vendor}`, [
        ...wholeErrorsMs,
        ...toneErrors(utterances[cutAt + 1], 1),
      ]),
      row({
        what: `Pipecat with ${vendor}: interruption until silence`,
        unit: 'ms',
        values: silentAfterMs,
        goal: { of: 'worst', atMost: silentMs },
      }),
      row({
        what: `Pipecat with ${vendor}: heard of a tone that is cut after ${CUT_S} s`,
        unit: 's',
        values: utterances[cutAt]?.endSecond ?? Infinity,
        goal: { of: 'worst', atMost: CUT_S + silentMs / 1_000 + 0.5 },
      }),
    );
  }
  const { utterances } = await converseInARoom(service);
  const wholeErrorsMs = IN_A_ROOM.flatMap(({ say, cut }, i) =>
    cut === undefined ? [1_000 * ((utterances[i]?.endSecond ?? Infinity) - say)] : [],
  );
  return [
    ...rows,
    heardRow('Pipecat with ojin in a LiveKit room', wholeErrorsMs),
    ...(await afterKills()),
  ];
};

async function afterKills(): Promise<Row[]> {
  const env = { WORKER_TOKEN: 'a token that all workers know', LOG_LEVEL: 'info' };
  const service = await startService({ env: { ...NO_AGENTS, ...env, WORKER_POOL: 'nobody' } });
  const backMs: number[] = [];
  const toneErrorsMs: number[] = [];
  try {
    for (const vendor of ['protoface', 'ojin']) {
      const { lastUtterance, backAfterMs } = await converseThroughAKill(service, vendor, env);
      backMs.push(backAfterMs);
      toneErrorsMs.push(1_000 * (lastUtterance.seconds - 2));
    }
  } finally {
    await service.stop();
  }
  return [
    row({
      what: 'Pipecat: first picture of another worker after a kill -9',
      unit: 'ms',
      values: backMs,
      goal: { of: 'worst', atMost: FACE_BACK_MS },
    }),
    heardRow('Pipecat, two seconds after the kill', toneErrorsMs),
  ];
}

export const outboundBot: Measure = async ({ service }: { service: RunningService }) => {
  needPipecat();
  const stage = new OutboundStage(service);
  try {
    const { tone, microphone, lastHeard, mouthMoves } = await stage.converse();
    return [
      heardRow('a Pipecat bot that the service calls', toneErrors(tone, TONE_S)),
      heardRow('its visitor, at the bot', toneErrors(microphone[0], TONE_S)),
      // Most of the frames of a voice have another mouth than the one before.
      row({
        what: `frames with another mouth in ${VOICE_S} s of voice`,
        unit: '',
        values: mouthMoves,
        goal: { of: 'worst', atLeast: VOICE_S * 25 * 0.4 },
      }),
      row({
        what: `heard of a tone that the bot cuts after ${OUTBOUND_CUT_S} s, minus that`,
        unit: 'ms',
        values: 1_000 * (lastHeard - OUTBOUND_CUT_S),
        goal: { of: 'worst', within: 500 },
      }),
    ];
  } finally {
    await stage.empty();
  }
};
