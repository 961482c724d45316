/** Requests by type: what is sent and what is answered. All values are JSON. */
export type RequestMap<Requests> = {
  [Type in keyof Requests]: { request: unknown; response: unknown };
};

export type RequestTime = {
  /** Working time of the other node, added to the round trip. */
  workMs?: number;
};

/** The node is gone or did not answer in time. The outcome of the request is unknown. */
export class NodeGone extends Error {
  override readonly name = 'NodeGone';
}

/**
 * Messages between the control planes ("nodes") that share a Redis. The bus knows no domain
 * message: each part of the service declares its own `Requests` (one node answers) and `Notices`
 * (no answer).
 */
export interface ClusterBus<Requests extends RequestMap<Requests>, Notices> {
  /** The name of this node. */
  readonly self: string;
  /** All live nodes, including this one. */
  living(): Promise<string[]>;
  /** Rejects with NodeGone, or with the error of the other node. */
  request<Type extends keyof Requests & string>(
    node: string,
    type: Type,
    request: Requests[Type]['request'],
    options?: RequestTime,
  ): Promise<Requests[Type]['response']>;
  onRequest<Type extends keyof Requests & string>(
    type: Type,
    answer: (
      request: Requests[Type]['request'],
    ) => Requests[Type]['response'] | Promise<Requests[Type]['response']>,
  ): void;
  /** `node` null: all other nodes. */
  publish<Type extends keyof Notices & string>(
    node: string | null,
    type: Type,
    notice: Notices[Type],
  ): Promise<void>;
  onNotice<Type extends keyof Notices & string>(
    type: Type,
    listener: (notice: Notices[Type]) => void,
  ): void;
  /** Another node stopped responding. Only one of the remaining nodes calls its listeners. */
  onGone(listener: (node: string) => Promise<void>): void;
  /** This node was taken for gone, or Redis lost its data. Listeners publish their state again. */
  onForgotten(listener: () => void): void;
  close(): Promise<void>;
}
