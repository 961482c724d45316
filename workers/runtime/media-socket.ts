import type { LookupFunction } from 'node:net';
import { WebSocket } from 'ws';

export type SocketEnd = {
  /** 1006 without a close frame. */
  code: number;
  reason: string;
  /** The HTTP status of a refused handshake. */
  status?: number;
  error?: Error;
};

export type MediaSocketEvents = {
  opened: () => void;
  /** Text arrives as its UTF-8 bytes. */
  received: (message: Uint8Array, isBinary: boolean) => void;
  /** The peer has answered a ping. */
  ponged?: () => void;
  /** Called once; nothing follows. */
  ended: (end: SocketEnd) => void;
};

/** One outgoing websocket for media. Tests have a twin in memory. */
export interface MediaSocket {
  /** Ignored unless open. */
  send(message: Uint8Array | string): void;
  /** Ignored unless open. */
  ping(): void;
  /** Bytes that were not handed to the network yet. */
  readonly unsentBytes: number;
  /** Says goodbye; the peer's answer ends it. */
  close(code: number): void;
  /** Ends it now. */
  terminate(): void;
}

export type MediaSocketTarget = {
  url: URL;
  headers: Record<string, string>;
  protocols?: string[];
  maxMessageBytes: number;
  /** Default: the system's. */
  lookup?: LookupFunction;
};

export type DialMediaSocket = (target: MediaSocketTarget, events: MediaSocketEvents) => MediaSocket;

export const dialMediaSocket: DialMediaSocket = (target, events) => {
  const socket = new WebSocket(target.url, target.protocols ?? [], {
    headers: target.headers,
    maxPayload: target.maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
    ...(target.lookup && { lookup: target.lookup }),
  });
  let status: number | undefined;
  let error: Error | undefined;
  socket.on('open', events.opened);
  // With the default `binaryType`, a message is one Buffer.
  socket.on('message', (data, isBinary) => events.received(data as Buffer, isBinary));
  socket.on('unexpected-response', (request, response) => {
    status = response.statusCode;
    request.destroy();
    end(1006, '');
  });
  socket.on('pong', () => events.ponged?.());
  socket.on('error', (failure) => {
    error = failure;
    // A peer that broke the protocol need not answer a close frame.
    socket.terminate();
  });
  socket.on('close', (code, reason) => end(code, reason.toString('utf8')));
  let isOver = false;
  const end = (code: number, reason: string) => {
    if (isOver) return;
    isOver = true;
    events.ended({
      code,
      reason,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    });
  };
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    get unsentBytes() {
      return socket.bufferedAmount;
    },
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
  };
};
