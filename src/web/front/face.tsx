import type { Host } from '../try/service.ts';
import film from './nora.webm';
import type { FrontWords } from './words/front-words.ts';

/** The avatar of the film, as in the catalog of built-in avatars. */
export const FILMED_AVATAR = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';

/** The face before a call: it moves if there is a film of it. */
export function Face({ host, words }: { host: Host; words: FrontWords }) {
  const { name, avatar_id } = host;
  if (avatar_id === FILMED_AVATAR) return <RecordedFace words={words} />;
  const picture = `/avatars/${encodeURIComponent(avatar_id)}/picture`;
  return <img className="front-face" src={picture} alt={words.pictureOf(name)} />;
}

/** A recorded session, without sound. Its first frame stays where motion is not wanted. */
export function RecordedFace({ words }: { words: FrontWords }) {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <video
      className="front-face"
      src={film}
      width="512"
      height="512"
      muted
      loop
      playsInline
      autoPlay={!isStill}
      aria-label={words.film}
    />
  );
}
