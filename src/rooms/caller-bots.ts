/*
 * Voice bots of callers, which workers dial. The address policy of callers' rooms applies, too:
 * the control plane checks at the creation of the session, the worker at each connection.
 */
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { Clock } from '#shared/clock.ts';
import { Fault, problem, type Problem } from '../errors.ts';
import { AddressRefusals } from './address-refusals.ts';
import type { RoomAddress } from './caller-rooms.ts';

export type CallerBot = { url: string; token?: string };

export type CallerBots = {
  /** Throws a 422 for a bot that no worker can dial, or at an address that callers may not use. */
  check(bot: CallerBot): Promise<void>;
  addressOf(url: string): RoomAddress;
};

type CallerBotsParts = { outgoing: Pick<Outgoing, 'networks' | 'addressesOf'>; clock: Clock };

export function createCallerBots({ outgoing, clock }: CallerBotsParts): CallerBots {
  const refusals = new AddressRefusals(outgoing, clock);

  return {
    async check({ url, token }) {
      const problems: Problem[] = [];
      const add = (name: 'url' | 'token', input: string | null, msg: string | null) => {
        if (msg) problems.push({ type: 'value_error', loc: ['body', name], msg, input });
      };
      add('url', url, urlProblem(url));
      // The token is a secret and must not appear in logged replies.
      add('token', null, token === undefined ? null : tokenProblem(token));
      if (problems.length > 0) throw new Fault('invalid_request', { problems });
      const why = await refusals.of(url);
      if (why) throw problem('value_error', ['body', 'url'], why, url);
    },

    addressOf: (url) => ({ url, networks: outgoing.networks }),
  };
}

function urlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (!url) return 'The address of the bot is not a URL.';
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:')
    return 'The URL of a bot must begin with ws or wss.';
  if (url.username || url.password)
    return 'The URL must not hold a user name or password. Send a token.';
  if (url.hash) return 'The URL of a websocket must not hold a fragment (#).';
  return null;
}

/** Header values hold no other characters. */
const tokenProblem = (token: string): string | null =>
  /^[\x21-\x7e]+$/.test(token) ? null : 'The token may hold visible ASCII characters only.';
