import { anam } from './vendors/anam.ts';
import { anva } from './vendors/anva.ts';
import { bithuman } from './vendors/bithuman.ts';
import { bosonAvatar } from './vendors/boson-avatar.ts';
import { did } from './vendors/did.ts';
import type { VendorAdapter } from './vendor-adapter.ts';
import { hedra } from './vendors/hedra.ts';
import { inference } from './vendors/inference.ts';
import { keyframe } from './vendors/keyframe.ts';
import { lemonslice } from './vendors/lemonslice.ts';
import { ojin } from './vendors/ojin.ts';
import { protoface } from './vendors/protoface.ts';
import { runway } from './vendors/runway.ts';
import { simli } from './vendors/simli.ts';
import { synthesia } from './vendors/synthesia.ts';
import { tavus } from './vendors/tavus.ts';

/** LiveKit Inference first, because it needs no plugin; then by name. */
export const VENDOR_ADAPTERS: readonly VendorAdapter[] = [
  inference,
  anam,
  anva,
  bithuman,
  bosonAvatar,
  did,
  hedra,
  keyframe,
  lemonslice,
  ojin,
  protoface,
  runway,
  simli,
  synthesia,
  tavus,
];
