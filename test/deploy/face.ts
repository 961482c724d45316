import { command } from './command.ts';
import { inside, VIEWER } from './docker/network.ts';
import type { Transcript } from './transcript.ts';
import { watchFrom, type Viewer } from './viewers/watch.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

type OpenedRoom = { url: string; name: string; viewer_token: string };

export type OpenedSession = { id: string; url: string; viewerToken: string };

type Call = { body?: object; authority?: string | undefined };

/**
 * Calls the API from the viewer's machine. `authority` is the file of a certificate authority to
 * trust. Waits for a free slot: workers may have just connected.
 */
export function callApi(url: string, key: string, { body, authority }: Call): Promise<string> {
  const options = ['--silent', '--show-error', '--fail-with-body', '--max-time', '20'];
  const patience = ['--retry', '20', '--retry-all-errors', '--retry-delay', '1'];
  const headers = ['--header', `x-api-key: ${key}`, '--header', 'content-type: application/json'];
  const line = ['curl', ...options, ...patience, ...headers];
  if (authority) line.push('--cacert', authority);
  if (body) line.push('--data', JSON.stringify(body));
  return command(...inside(VIEWER.namespace, ...line, url));
}

/** Creates a session in a new room. */
export async function openSession(
  address: string,
  key: string,
  authority?: string,
): Promise<OpenedSession> {
  const body = { transport: 'mediaserver', avatar_id: FIRST_AVATAR.alias };
  const answer = await callApi(`${address}/v1/sessions`, key, { body, authority });
  const { id, room } = JSON.parse(answer) as { id: string; room: OpenedRoom };
  return { id, url: room.url, viewerToken: room.viewer_token };
}

/** A session whose face a viewer on another machine sees move. */
export async function seeFace(
  transcript: Transcript,
  address: string,
  key: string,
  trust?: { authority: string; bundle: string },
): Promise<Viewer> {
  const { url, viewerToken } = await transcript.step('open a session', () =>
    openSession(address, key, trust?.authority),
  );
  const viewer = await transcript.step('a viewer on another machine sees the face move', () =>
    watchFrom({
      namespace: VIEWER.namespace,
      program: 'test/deploy/viewers/native.ts',
      args: [url, viewerToken],
      env: trust ? { SSL_CERT_FILE: trust.bundle } : {},
    }),
  );
  transcript.atEnd('the viewer leaves', () => viewer.leave());
  transcript.note(`moving pictures after ${(viewer.seenAfterMs / 1000).toFixed(1)} s`);
  return viewer;
}
