/*
 * `<troupe-agent>` for React 18 and newer: typed properties, events as functions, the element as
 * ref.
 */
import type { TroupeAgentElement, TroupeAgentEventName, TroupeAgentEvents } from '@troupe/embed';
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  type CSSProperties,
} from 'react';

export type * from '@troupe/embed';

type Detail<Name extends TroupeAgentEventName> = (detail: TroupeAgentEvents[Name]) => void;

export type TroupeAgentProps = {
  /** Id of the agent. */
  agent: string;
  /** Address of the service. */
  server: string;
  /** Link token of a private agent. */
  token?: string;
  /** Language of the texts, such as `de`. Default: that of the page. */
  language?: string;
  userName?: string;
  /** Default: the color scheme of the page. */
  theme?: 'light' | 'dark' | 'auto';
  /** `off`: calls start muted. */
  microphone?: 'on' | 'off';
  /** Whether visitors may turn on their camera. */
  camera?: boolean;
  /** A button in the corner of the page opens the agent. */
  floating?: boolean;
  /** During calls, an avatar without a background stands on the page, without a box. */
  transparent?: boolean;
  id?: string;
  className?: string;
  /** May set the properties `--troupe-*`. */
  style?: CSSProperties & Record<`--troupe-${string}`, string>;
  onReady?: Detail<'troupe-ready'>;
  onState?: Detail<'troupe-state'>;
  onCallStarted?: Detail<'troupe-call-started'>;
  onMessage?: Detail<'troupe-message'>;
  onCallEnded?: Detail<'troupe-call-ended'>;
  onError?: Detail<'troupe-error'>;
};

export const TroupeAgent = forwardRef<TroupeAgentElement, TroupeAgentProps>(
  function TroupeAgent(props, ref) {
    const element = useRef<TroupeAgentElement>(null);
    const latest = useRef(props);
    useImperativeHandle(ref, () => element.current!, []);

    useEffect(() => {
      latest.current = props;
    });

    useEffect(() => {
      // Not on a server, which has no elements.
      void import('@troupe/embed');
      const listening = new AbortController();
      for (const name of Object.keys(handlers) as TroupeAgentEventName[]) {
        const tell = (event: Event) => {
          const handler = latest.current[handlers[name]] as ((detail: unknown) => void) | undefined;
          handler?.((event as CustomEvent<unknown>).detail);
        };
        element.current?.addEventListener(name as string, tell, { signal: listening.signal });
      }
      return () => listening.abort();
    }, []);

    const { agent, server, token, language, userName, theme, microphone, camera, floating } = props;
    const { id, className, style, transparent } = props;
    // As attributes: React 18 sets no properties of custom elements.
    return createElement('troupe-agent', {
      ref: element,
      agent,
      server,
      token,
      language,
      theme,
      microphone,
      id,
      style,
      'user-name': userName,
      class: className,
      camera: camera ? '' : undefined,
      floating: floating ? '' : undefined,
      transparent: transparent ? '' : undefined,
    });
  },
);

const handlers = {
  'troupe-ready': 'onReady',
  'troupe-state': 'onState',
  'troupe-call-started': 'onCallStarted',
  'troupe-message': 'onMessage',
  'troupe-call-ended': 'onCallEnded',
  'troupe-error': 'onError',
} as const satisfies Record<TroupeAgentEventName, keyof TroupeAgentProps>;
