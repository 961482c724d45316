/*
 * A voice agent with our own plugin, outside of a job, with the framework of this repository. The
 * plugin's settings point it at Troupe (TROUPE_URL, TROUPE_API_KEY; LIVEKIT_URL, LIVEKIT_API_KEY,
 * LIVEKIT_API_SECRET).
 */
import * as agents from '@livekit/agents';
import * as rtc from '@livekit/rtc-node';
import * as troupe from '../../../src/clients/livekit-node/src/index.ts';
import { converse } from '../conversation.mjs';

await converse(agents, rtc, () => new troupe.AvatarSession());
