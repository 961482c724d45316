/*
 * A voice agent with the unmodified published plugin, outside of a job. Its own settings point it
 * at Troupe (BEY_API_URL, BEY_API_KEY; LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET).
 */
import * as agents from '@livekit/agents';
import * as bey from '@livekit/agents-plugin-bey';
import * as rtc from '@livekit/rtc-node';
import { converse } from '../conversation.mjs';

await converse(agents, rtc, () => new bey.AvatarSession());
