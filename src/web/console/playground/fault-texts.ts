import type { EndReason } from '#protocol/end-reasons.ts';
import { deviceProblems } from '../../call/words/en-everywhere.ts';
import { END_REASON_TEXTS } from '../../end-reason-texts.ts';
import type { Fault, NoAgentReason, NoAvatarReason } from './diagnosis.ts';

/** Texts that name a fault and its remedy. */
export type FaultText = { title: string; advice: string };

export function faultText(fault: Fault): FaultText {
  switch (fault.type) {
    case 'room_closed':
      return { title: 'The room is closed.', advice: 'Join a new one.' };
    case 'no_agent':
      return noAgentText(fault.agentName, fault.why);
    case 'agent_left':
      return leftText(fault.why);
    case 'two_agents':
      return {
        title: `${fault.identities.length} agents are in the room: ${fault.identities.join(', ')}.`,
        advice:
          'Both answer. Stop the process that you do not need, or give your agent a name (`agent_name`, `agentName`) and join with it.',
      };
    case 'agent_not_ready':
      return {
        title: `${fault.identity} still initializes.`,
        advice:
          'Its session has not started. If the log of the agent shows no error, it waits in `session.start`, often for a model or an avatar.',
      };
    case 'no_avatar':
      return noAvatarText(fault.why);
    case 'speaks_for_nobody':
      return {
        title: `${fault.identity} shows the speech of ${fault.speaksFor}, who is not in the room.`,
        advice:
          'Its sound goes to nobody. Start the avatar in the job of the agent that speaks, with the room of that job.',
      };
    case 'voice_beside_avatar':
      return {
        title: `${fault.identity} publishes its voice itself, past its avatar.`,
        advice:
          'The face does not move with it. Start the avatar before `session.start`, and leave the sound output of the room off.',
      };
    case 'no_picture':
      return {
        title: fault.hasVideo
          ? `No picture of ${fault.identity} arrives.`
          : `${fault.identity} joined, but publishes no video.`,
        advice: fault.hasVideo
          ? 'UDP may not get through between this browser and the media server, or the worker is overloaded: see Fleet.'
          : 'If this service shows it, the log of its worker says why. Otherwise see the service of the avatar.',
      };
    case 'sound_blocked':
      return {
        title: 'This browser blocks the sound.',
        advice: 'Pages need a click before they play sound.',
      };
    case 'microphone':
      return {
        title: 'The microphone is off.',
        advice: deviceProblems.microphone[fault.problem],
      };
  }
}

function noAgentText(name: string, why: NoAgentReason): FaultText {
  switch (why.type) {
    case 'unknown':
      return {
        title: 'No agent joined.',
        advice:
          'None is connected to this media server, or all refused the job. A log line “registered worker” of the agent shows that it is connected, with which address. An agent with a name is dispatched by that name only.',
      };
    case 'not_registered':
      return {
        title:
          name === ''
            ? 'No agent is connected for automatic dispatch.'
            : `No agent of the name ${name} is connected.`,
        advice:
          'Start it with the address, key and secret of this media server, which `npm start` prints, and ask again. An agent with a name (`agent_name`, `agentName`) needs that name when you join.',
      };
    case 'busy':
      return {
        title: 'The agent is connected, but reports too high a load for a job.',
        advice:
          'Let it report less (`load_fnc`, `loadFunc`) or raise its `load_threshold`, or run more processes of it. A media server of your own also needs `agents: {target_load: 2}`. Then ask again.',
      };
    case 'rejected':
      return {
        title: 'The agent is connected, but rejected the job.',
        advice: 'Its request function (`request_fnc`, `requestFunc`) decides. See its log.',
      };
    case 'silent':
      return {
        title: 'The agent is connected, but did not answer the offer of the job.',
        advice: 'Its process hangs, or its machine is overloaded. See its log.',
      };
    case 'not_joined':
      return {
        title: 'An agent took the job, but did not join.',
        advice:
          'Its entry function failed before `ctx.connect()`, or still loads. The log of the agent says which.',
      };
    case 'failed':
      return { title: 'The job of the agent failed.', advice: why.error || 'See its log.' };
  }
}

function leftText(why: NoAvatarReason): FaultText {
  const title = 'The agent joined, and left again.';
  if (why.type === 'refused') {
    const { title: refusal, advice } = noAvatarText(why);
    return { title: `${title} ${refusal}`, advice };
  }
  return { title, advice: 'Its job ended or failed: the log of the agent says why.' };
}

function noAvatarText(why: NoAvatarReason): FaultText {
  switch (why.type) {
    case 'unknown':
      return {
        title: 'The agent started no avatar.',
        advice:
          'Add `AvatarSession` and start it before `session.start`. If it is there, the log of the agent says why the avatar did not come.',
      };
    case 'not_requested':
      return {
        title: 'The agent started no avatar: it asked this service for none.',
        advice:
          'Add `AvatarSession` and start it before `session.start`, with the address of this service and a key of this account. Quick start has the lines.',
      };
    case 'refused':
      return {
        title: `This service refused the session (${why.status}): ${why.detail ?? 'see Requests'}`,
        advice: 'Requests shows what was sent, and what to do about the answer.',
      };
    case 'ended': {
      const [meaning, advice] = END_REASON_TEXTS[why.reason as EndReason] ?? ['', ''];
      return {
        title: `The session of the avatar ended. ${meaning}`,
        advice: [why.detail, advice].filter(Boolean).join(' '),
      };
    }
    case 'not_started':
      return {
        title: 'The avatar has a session, but did not join.',
        advice: 'Its worker cannot reach the room yet. Fleet and the session show more.',
      };
  }
}
