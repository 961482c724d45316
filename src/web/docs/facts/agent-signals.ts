import { AGENT_EPOCH, AGENT_LOST, HEARS, HUSH, SEES, TEXT_IGNORED } from '#protocol/room-terms.ts';
import { meanings } from './tables.ts';

const signals: Record<string, string> = {
  [HEARS]:
    'Attribute of the agent: `yes`, or `no` if it has no speech recognition and understands text only.',
  [SEES]:
    'Attribute of the agent: `yes` if its language model gets pictures of the user’s camera, else `no`. It becomes `no` when the model refuses one.',
  [AGENT_EPOCH]: 'Attribute of the agent. It rises with each worker that takes over the call.',
  [AGENT_LOST]:
    'Key in the JSON metadata of the room: the epoch of a lost agent. An agent with a higher epoch has replaced it.',
  [HUSH]:
    'Topic of a data message to the user: the agent was interrupted. A page that mutes the face until it is silent, as our room page does, skips the audio left in its buffer.',
  [TEXT_IGNORED]:
    'Topic of a data message to the user: the agent ignored a typed text. The payload is the reason: `too_fast` (20 texts a minute), `too_often` (the agent’s `texts_per_ten_minutes`), `too_many` (1,000 a call), or `incomplete` (the text’s end did not come).',
};

export const agentSignals = (): string => meanings(['Attribute or topic', 'Meaning'], signals);
