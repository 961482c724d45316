import './playground.css';
import { useEffect, useState } from 'react';
import { provideRandomUuid } from '../../call/connection/random-uuid.ts';
import { Page } from '../parts/page.tsx';
import { playground as t } from '../texts/playground.ts';
import { takePastedRoom } from './pasted-room.ts';
import { RoomChoice, type Place } from './room-choice.tsx';
import { RoomView } from './room-view.tsx';

provideRandomUuid();

/** Read with the page, because React may render a first time for nothing. */
let pastedRoom = takePastedRoom();

export function PlaygroundPage() {
  const [place, setPlace] = useState<Place | null>(pastedRoom && { ...pastedRoom, own: null });
  useEffect(() => {
    pastedRoom = null;
  }, []);
  return (
    <Page title={t.title} lede={t.lede}>
      {place ? (
        <RoomView key={place.token} place={place} leave={() => setPlace(null)} />
      ) : (
        <RoomChoice enter={setPlace} />
      )}
    </Page>
  );
}
