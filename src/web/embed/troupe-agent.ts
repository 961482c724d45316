/* `<troupe-agent>`: a call with an agent, in a page of another origin. */
import { ChatService } from '../call/connection/chat-service.ts';
import { onIntent } from '../call/connection/intent.ts';
import { loadMedia } from '../call/connection/load-media.ts';
import { SavedCall } from '../call/connection/saved-call.ts';
import { VisitorCall } from '../call/state/visitor-call.ts';
import { agentOf, initialState, isInCall, type CallState } from '../call/state/call-state.ts';
import { showAccent } from '../call/view/brand.ts';
import { eventsBetween, stateOf } from './host-events.ts';
import { notAllowedText } from './not-allowed-text.ts';
import type { TroupeAgentElement, TroupeAgentState } from './public-types.ts';
import { style } from './style/style.ts';
import { pageStorage } from '../look/page-storage.ts';
import { AgentView } from './view/agent-view.ts';
import { Launcher } from './view/launcher.ts';

/** The service that served this script. */
const ownServer = (): string => new URL(import.meta.url).origin;

export class TroupeAgent extends HTMLElement implements TroupeAgentElement {
  static readonly observedAttributes = ['agent', 'server', 'token', 'camera', 'floating', 'open'];
  readonly #view: AgentView;
  readonly #launcher: Launcher;
  /** From `connectedCallback` until it is removed. Before, attributes arrive one by one. */
  #isInPage = false;
  #call: VisitorCall | null = null;
  #shown: CallState = initialState;
  #callId: string | null = null;

  constructor() {
    super();
    this.#view = new AgentView({
      start: () => void this.start(),
      retry: () => void this.#call?.look(),
      rate: async (rating) => this.#call?.rate(rating),
      leave: () => void this.end(),
      turn: (kind, isOn) => this.#call?.turn(kind, isOn),
      say: (text) => this.say(text),
      allowSound: () => this.#call?.allowSound(),
    });
    this.#launcher = new Launcher((isOpen) => (this.isOpen = isOpen));
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style()];
    root.append(this.#view.node, this.#launcher.node);
    onIntent(this, () => this.#call?.prepare());
  }

  get agent(): string | null {
    return this.getAttribute('agent');
  }
  set agent(id) {
    this.#set('agent', id);
  }

  get server(): string | null {
    return this.getAttribute('server');
  }
  set server(address) {
    this.#set('server', address);
  }

  get token(): string | null {
    return this.getAttribute('token');
  }
  set token(token) {
    this.#set('token', token);
  }

  get userName(): string | null {
    return this.getAttribute('user-name');
  }
  set userName(name) {
    this.#set('user-name', name);
  }

  get isOpen(): boolean {
    return this.hasAttribute('open');
  }
  set isOpen(isOpen) {
    this.toggleAttribute('open', isOpen);
  }

  get state(): TroupeAgentState {
    return stateOf(this.#shown);
  }

  connectedCallback(): void {
    this.#isInPage = true;
    // A moved element is connected twice; its call goes on.
    if (!this.#call) this.#begin();
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#isInPage = false;
      this.#close();
    });
  }

  attributeChangedCallback(name: string, previous: string | null, value: string | null): void {
    if (previous === value || !this.#isInPage) return;
    if (['agent', 'server', 'token'].includes(name)) {
      this.#close();
      this.#begin();
    } else this.#show();
  }

  async start(): Promise<void> {
    const { phase } = this.#shown;
    if (!this.#call || isInCall(phase)) return;
    if (phase.type === 'looking' || (phase.type === 'refused' && !phase.agent)) return;
    this.isOpen = true;
    this.#call.again();
    const isMuted = this.getAttribute('microphone') === 'off';
    await this.#call.join({
      userName: this.userName?.trim() ?? '',
      microphone: !isMuted && phase.agent?.hears !== false,
      microphoneId: null,
    });
  }

  async end(): Promise<void> {
    await this.#call?.leave();
  }

  say(text: string): void {
    this.#call?.say(text);
  }

  setMicrophone(isOn: boolean): void {
    this.#call?.turn('microphone', isOn);
  }

  /** The page may have a colour of its own. */
  get #accent(): string | null {
    const ownAccent = getComputedStyle(this).getPropertyValue('--troupe-accent');
    return ownAccent.trim() ? null : (agentOf(this.#shown.phase)?.accentColor ?? null);
  }

  #set(name: string, value: string | null): void {
    if (value === null) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  #begin(): void {
    const { agent } = this;
    if (!agent) return;
    const server = new URL(this.server ?? ownServer(), location.href).origin;
    const call = new VisitorCall({
      chat: new ChatService(agent, this.token, server),
      saved: new SavedCall(
        agent,
        pageStorage(() => sessionStorage),
      ),
      elements: () => this.#view.stage,
      loadMedia,
    });
    this.#call = call;
    call.subscribe(() => this.#show());
    this.#show();
    void call.look().then(() => this.#explain(server));
  }

  #close(): void {
    void this.#call?.close();
    this.#call = null;
    this.#shown = initialState;
    this.#callId = null;
    this.#view.close();
  }

  #show(): void {
    if (!this.#call) return;
    const { state, room } = this.#call;
    const previous = this.#shown;
    this.#shown = state;
    this.#view.hasCamera = this.hasAttribute('camera');
    this.#view.show(state, room);
    this.#launcher.show(state, this.isOpen);
    for (const node of [this.#view.node, this.#launcher.node]) showAccent(node, this.#accent);
    // Invisible, so the keyboard passes it.
    this.#view.node.inert = this.hasAttribute('floating') && !this.isOpen;
    this.#callId = isInCall(state.phase) ? (this.#call.id ?? this.#callId) : this.#callId;
    for (const { name, detail } of eventsBetween(previous, state, this.#callId)) {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
  }

  /** For the owner of the page, in its console. */
  #explain(server: string): void {
    const { phase } = this.#shown;
    if (phase.type !== 'refused' || server === location.origin) return;
    if (phase.why === 'not_allowed')
      console.error(notAllowedText(this.agent ?? '', location.origin));
    if (phase.why === 'unreachable') {
      console.error(
        `troupe-agent: ${server} did not answer this page. Check that it runs. If the page has a content security policy, add ${server} to its connect-src.`,
      );
    }
  }
}
