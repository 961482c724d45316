/*
 * Recorded requests of published plugins; each test supplies room, key and avatar. The plugins are
 * PyPI's livekit-plugins-* unless noted.
 */
import type { InjectOptions } from 'fastify';
import type { RoomSignal } from '#protocol/room-signals.ts';

export type Given = {
  url: string;
  /** Room token. */
  token: string;
  key: string;
  avatar: string;
  /** Answers of the earlier calls. */
  earlier: Record<string, string>[];
};

export type Sent = Pick<InjectOptions, 'method' | 'headers'> & {
  url: string;
  payload?: string | Buffer;
};

export type Recorded = {
  of: string;
  /** The calls that open a session, in order. */
  calls: ((values: Given) => Sent)[];
  /** Field of the session id in the last answer. */
  id: string;
  /** Other fields of the last answer. */
  answer?: Record<string, unknown>;
  unused?: string[];
  maxLengthMinutes?: number;
  /** Size of the picture that it asks for. */
  size?: { width: number; height: number };
  signals?: RoomSignal[];
  /** The call that ends the session. */
  end?: (values: Given, id: string) => Sent;
};

export const json = (body: object, headers: Record<string, string>) => ({
  headers: { 'content-type': 'application/json', ...headers },
  payload: JSON.stringify(body),
});

const BOUNDARY = '4b1f4c4e619642b499fdea9c03038550';

type Part = { name: string; type?: string; file?: string; value: string };

/** A form with a file, as aiohttp writes it. */
export const multipart = (parts: Part[], headers: Record<string, string>) => ({
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
  payload: Buffer.from(
    `${parts
      .map(({ name, type = 'text/plain; charset=utf-8', file, value }) => {
        const disposition = `form-data; name="${name}"${file ? `; filename="${file}"` : ''}`;
        return `--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`;
      })
      .join('')}--${BOUNDARY}--\r\n`,
    'latin1',
  ),
});

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Signals that a Tavus plugin's agent may send in the room. */
export const emotions: RoomSignal[] = [
  {
    topic: 'app_messages',
    means: 'emotion',
    how: {
      format: 'json',
      match: { event_type: 'conversation.set_emotion' },
      value: 'properties.emotion',
    },
  },
];

/** Persona of an Anam plugin. */
export const anamPersona = (avatar: string) => ({
  type: 'ephemeral',
  name: 'Cara',
  avatarId: avatar,
  llmId: 'CUSTOMER_CLIENT_V1',
});
