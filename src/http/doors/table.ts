import { anam } from './anam.ts';
import { bithuman } from './bithuman.ts';
import { bosonAvatar } from './boson-avatar.ts';
import { did } from './did.ts';
import type { Door } from './door.ts';
import { hedra } from './hedra.ts';
import { inference } from './inference.ts';
import { keyframe } from './keyframe.ts';
import { lemonslice } from './lemonslice.ts';
import { protoface } from './protoface.ts';
import { runway } from './runway.ts';
import { simli } from './simli.ts';
import { synthesia } from './synthesia.ts';
import { tavus } from './tavus.ts';

/** The shortest way first, the others by their names. */
export const DOORS: readonly Door[] = [
  inference,
  anam,
  bithuman,
  bosonAvatar,
  did,
  hedra,
  keyframe,
  lemonslice,
  protoface,
  runway,
  simli,
  synthesia,
  tavus,
];
