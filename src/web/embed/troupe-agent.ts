/* `<troupe-agent>`: a call with an agent, in a page of another origin. */
import { ChatService } from '../call/connection/chat-service.ts';
import { onIntent } from '../call/connection/intent.ts';
import { loadMedia } from '../call/connection/load-media.ts';
import { SavedCall } from '../call/connection/saved-call.ts';
import { VisitorCall } from '../call/state/visitor-call.ts';
import { agentOf, initialState, isInCall, type CallState } from '../call/state/call-state.ts';
import { showAccent } from '../call/view/brand.ts';
import { callTexts, type CallWords } from '../call/words/call-words.ts';
import { chooseLanguage, loadWords, type Language } from '../call/words/languages.ts';
import { eventsBetween, stateOf } from './host-events.ts';
import { notAllowedText } from './not-allowed-text.ts';
import type { TroupeAgentElement, TroupeAgentState } from './public-types.ts';
import { style } from './style/style.ts';
import { pageStorage } from '../look/page-storage.ts';
import { AgentView } from './view/agent-view.ts';
import { Launcher } from './view/launcher.ts';

/** The service that served this script. */
const ownServer = (): string => new URL(import.meta.url).origin;

/** A change of these begins anew. A running call goes on. */
const BASICS = ['agent', 'server', 'token', 'language'];

/** The call, and what shows it. */
type Parts = { call: VisitorCall; words: CallWords; view: AgentView; launcher: Launcher };

export class TroupeAgent extends HTMLElement implements TroupeAgentElement {
  static readonly observedAttributes = [...BASICS, 'camera', 'floating', 'open'];
  readonly #root = this.attachShadow({ mode: 'open' });
  /** From `connectedCallback` until it is removed. Before, attributes arrive one by one. */
  #isInPage = false;
  /** Null until the texts are loaded. */
  #parts: Parts | null = null;
  /** Changes when the element begins anew or is removed. */
  #attempt = 0;
  #shown: CallState = initialState;
  #callId: string | null = null;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [style()];
    onIntent(this, () => this.#parts?.call.prepare());
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

  get language(): string | null {
    return this.getAttribute('language');
  }
  set language(language) {
    this.#set('language', language);
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
    if (!this.#parts) void this.#begin();
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
    if (BASICS.includes(name)) {
      this.#close();
      void this.#begin();
    } else this.#show();
  }

  async start(): Promise<void> {
    const { phase } = this.#shown;
    const call = this.#parts?.call;
    if (!call || isInCall(phase)) return;
    if (phase.type === 'looking' || (phase.type === 'refused' && !phase.agent)) return;
    this.isOpen = true;
    call.again();
    const isMuted = this.getAttribute('microphone') === 'off';
    await call.join({
      userName: this.userName?.trim() ?? '',
      microphone: !isMuted && phase.agent?.hears !== false,
      camera: false,
    });
  }

  async end(): Promise<void> {
    await this.#parts?.call.leave();
  }

  say(text: string): void {
    this.#parts?.call.say(text);
  }

  setMicrophone(isOn: boolean): void {
    this.#parts?.call.turn('microphone', isOn);
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

  async #begin(): Promise<void> {
    const { agent } = this;
    if (!agent) return;
    this.#attempt += 1;
    const attempt = this.#attempt;
    const words = await loadWords(this.#chosenLanguage, callTexts);
    if (attempt !== this.#attempt) return;
    const server = new URL(this.server ?? ownServer(), location.href).origin;
    const call = new VisitorCall({
      chat: new ChatService(agent, this.token, server),
      saved: new SavedCall(
        agent,
        pageStorage(() => sessionStorage),
      ),
      elements: () => view.stage,
      loadMedia,
    });
    const view = this.#viewOf(call, words);
    const launcher = new Launcher(words, (isOpen) => (this.isOpen = isOpen));
    this.#parts = { call, words, view, launcher };
    this.#root.replaceChildren(view.node, launcher.node);
    call.subscribe(() => this.#show());
    this.#show();
    void call.look().then(() => this.#explain(server));
  }

  #viewOf(call: VisitorCall, words: CallWords): AgentView {
    return new AgentView(words, {
      start: () => void this.start(),
      retry: () => void call.look(),
      rate: call.rate,
      leave: () => void call.leave(),
      turn: call.turn,
      say: call.say,
      allowSound: call.allowSound,
    });
  }

  /** The page's own language, unless the attribute names another. */
  get #chosenLanguage(): Language {
    const pageLanguage = this.closest<HTMLElement>('[lang]')?.lang;
    return chooseLanguage([this.language ?? pageLanguage ?? navigator.language]);
  }

  #close(): void {
    this.#attempt += 1;
    void this.#parts?.call.close();
    this.#parts?.view.close();
    this.#parts = null;
    this.#shown = initialState;
    this.#callId = null;
  }

  #show(): void {
    if (!this.#parts) return;
    const { call, words, view, launcher } = this.#parts;
    const { state, room } = call;
    const previous = this.#shown;
    this.#shown = state;
    view.hasCamera = this.hasAttribute('camera');
    view.show(state, room);
    launcher.show(state, this.isOpen);
    for (const node of [view.node, launcher.node]) showAccent(node, this.#accent);
    // Invisible, so the keyboard passes it.
    view.node.inert = this.hasAttribute('floating') && !this.isOpen;
    this.#callId = isInCall(state.phase) ? (call.id ?? this.#callId) : this.#callId;
    for (const { name, detail } of eventsBetween(words, previous, state, this.#callId)) {
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
