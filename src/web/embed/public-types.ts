/*
 * Types of `<troupe-agent>` for host pages. The package @troupe/embed publishes this file, so it
 * imports nothing.
 */

/**
 * `loading`: reads the agent. `ready`: a call can start. `waiting`: every avatar is busy; retries
 * by itself. `reconnecting`: the call goes on in a moment. `failed`: see the event `troupe-error`.
 */
export type TroupeAgentState =
  | 'loading'
  | 'ready'
  | 'connecting'
  | 'waiting'
  | 'live'
  | 'reconnecting'
  | 'ended'
  | 'failed';

export type TroupeLine = { sender: 'ai' | 'user'; text: string };

/** Why there is no call, or no microphone or camera in it. */
export type TroupeErrorCode =
  | 'not_found'
  | 'private'
  | 'full'
  | 'too_often'
  | 'used_up'
  | 'unreachable'
  | 'not_allowed'
  | 'no_media'
  | 'failed'
  | 'microphone'
  | 'camera';

/** Details of the events by name. All events bubble and cross shadow trees. */
export type TroupeAgentEvents = {
  'troupe-ready': { name: string; language: string };
  'troupe-state': { state: TroupeAgentState; previous: TroupeAgentState };
  /** The avatar is visible. `isReturn`: the visitor reloaded the page or opened another one. */
  'troupe-call-started': { callId: string | null; isReturn: boolean };
  /** A sentence of the agent or the visitor is complete. */
  'troupe-message': TroupeLine;
  /** `reason`: `left`, `elsewhere`, or an end reason of the API. */
  'troupe-call-ended': { callId: string | null; reason: string; transcript: TroupeLine[] };
  /** `message` is the text that the visitor sees. */
  'troupe-error': { code: TroupeErrorCode; message: string };
};

export type TroupeAgentEventName = keyof TroupeAgentEvents;

/** Messages that the page in a frame posts to the page around it. */
export type TroupeFrameMessage = {
  [Name in TroupeAgentEventName]: {
    source: 'troupe-agent';
    type: Name;
    detail: TroupeAgentEvents[Name];
  };
}[TroupeAgentEventName];

/** Messages that the page around a frame may post to it. */
export type TroupeFrameCommand = { target: 'troupe-agent'; type: 'start' | 'end' };

/**
 * For rooms of your own: draws the video of an avatar whose background is `transparent` (a track
 * named `avatar_video_with_opacity`) as a transparent canvas. Returns a function that ends it.
 */
export declare function keyPicture(video: HTMLVideoElement, canvas: HTMLCanvasElement): () => void;

export interface TroupeAgentElement extends HTMLElement {
  /** Id of the agent. */
  agent: string | null;
  /** Address of the service. Default: the origin of the script. */
  server: string | null;
  /** Link token of a private agent. */
  token: string | null;
  /** Language of the texts, such as `de`. Default: the language of the page. */
  language: string | null;
  /** Name of the visitor, passed to the agent. */
  userName: string | null;
  /** Whether the floating agent is open. */
  isOpen: boolean;
  readonly state: TroupeAgentState;
  /** Starts a call. Call it in a click handler, or the browser may block the sound. */
  start(): Promise<void>;
  /** Ends the call. */
  end(): Promise<void>;
  /** Sends a text to the agent during a call. It waits until the agent is there. */
  say(text: string): void;
  setMicrophone(isOn: boolean): void;

  addEventListener<Name extends TroupeAgentEventName>(
    type: Name,
    listener: (event: CustomEvent<TroupeAgentEvents[Name]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'troupe-agent': TroupeAgentElement;
  }
}
