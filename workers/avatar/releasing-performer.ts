import type { BundleUse } from './open-bundles.ts';
import type { BuiltInPerformer } from './performer/built-in-performer.ts';
import type { Performer } from './performer/performer.ts';

/** Releases the bundle when the performer closes. */
export function releasing(performer: BuiltInPerformer, bundleUse: BundleUse): Performer {
  return {
    hear: (samples, atMs) => performer.hear(samples, atMs),
    hush: (atMs) => performer.hush(atMs),
    attend: (isListening) => performer.attend(isListening),
    feel: (emotion) => performer.feel(emotion),
    frame: (framing) => performer.frame(framing),
    place: (backdrop) => performer.place(backdrop),
    move: (movement) => performer.move(movement),
    draw: (atMs, frame) => performer.draw(atMs, frame),
    close() {
      performer.close();
      bundleUse.release();
    },
  };
}
