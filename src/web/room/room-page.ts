import './room-page.css';
import { ChatService } from '../call/connection/chat-service.ts';
import { onIntent } from '../call/connection/intent.ts';
import { loadMedia } from '../call/connection/load-media.ts';
import { SavedCall } from '../call/connection/saved-call.ts';
import { agentOf, isInCall, lastSentence, type CallState } from '../call/state/call-state.ts';
import { VisitorCall } from '../call/state/visitor-call.ts';
import { showAccent } from '../call/view/brand.ts';
import { element, setText } from '../call/view/dom.ts';
import { pageStorage } from '../look/page-storage.ts';
import { CallView } from './call/call-view.ts';
import { endCard, refusalCard } from './cards.ts';
import { Lobby } from './lobby/lobby.ts';
import type { RoomWords } from './words/room-words.ts';

/** The page of one agent: the lobby, the call, and the card after it. */
export class RoomPage {
  readonly node = element('main', { id: 'main', class: 'room', tabindex: '-1' });
  readonly #words: RoomWords;
  readonly #call: VisitorCall;
  readonly #view: CallView;
  readonly #before = element('div');
  readonly #sentence = element('p', { class: 'unseen', 'aria-live': 'polite' });
  #lobby: Lobby | null = null;
  #shown: CallState | null = null;

  constructor(words: RoomWords, agentId: string, linkToken: string | null) {
    this.#words = words;
    this.#call = new VisitorCall({
      chat: new ChatService(agentId, linkToken),
      saved: new SavedCall(
        agentId,
        pageStorage(() => sessionStorage),
      ),
      elements: () => this.#view.stage,
      loadMedia,
    });
    this.#view = new CallView(words, this.#call);
    // The stage is always in the page: a call needs its media elements from the start.
    this.node.append(this.#before, this.#view.node, this.#sentence);
    this.#call.subscribe(() => this.#show());
    onIntent(document, this.#call.prepare);
    this.#show();
    void this.#call.look();
  }

  #show(): void {
    const { state } = this.#call;
    const { phase } = state;
    const previous = this.#shown;
    this.#shown = state;
    const isCalling = isInCall(phase);
    const agent = agentOf(phase);
    this.#view.show();
    if (previous?.phase !== phase) {
      showAccent(this.node, agent?.accentColor ?? null);
      document.title = agent ? this.#words.callWith(agent.name) : this.#words.call;
      this.#showCard(state);
    }
    this.#sentence.lang = agent?.language ?? '';
    setText(this.#sentence, phase.type === 'live' ? lastSentence(state) : '');
    // The pressed button is gone, so move the focus to the new view.
    if (previous && previous.phase.type !== 'looking' && isInCall(previous.phase) !== isCalling)
      this.node.focus();
  }

  #showCard(state: CallState): void {
    const { phase } = state;
    // The agent has changed. What the visitor typed stays.
    if (phase.type === 'lobby' && this.#lobby) this.#lobby.show(phase.agent);
    else this.#before.replaceChildren(...this.#card(state));
  }

  /** Empty during a call. */
  #card({ phase, lines }: CallState): Node[] {
    const words = this.#words;
    this.#lobby?.close();
    this.#lobby = null;
    switch (phase.type) {
      case 'looking':
        return [element('p', { class: 'room-looking soft' }, words.oneMoment)];
      case 'lobby':
        this.#lobby = new Lobby(words, phase.agent, (request) => void this.#call.join(request));
        return [this.#lobby.node];
      case 'over':
        return [endCard(words, phase, lines, this.#call)];
      case 'refused':
        return [refusalCard(words, phase, () => void this.#call.look())];
      case 'connecting':
      case 'waiting':
      case 'live':
        return [];
    }
  }
}
