import type { Room } from 'livekit-client';
import { useEffect, useRef } from 'react';

/** The person's own camera, mirrored. */
export function OwnPicture({ room }: { room: Room }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const [camera] = room.localParticipant.videoTrackPublications.values();
    const track = camera?.track;
    const element = video.current;
    if (!track || !element) return;
    track.attach(element);
    return () => void track.detach(element);
  }, [room]);

  return <video ref={video} className="own-picture" aria-label="You" muted playsInline autoPlay />;
}
