/* Budgets of managed agents, for records, workers, API, metrics and docs. */

/** Units of cost, with their names in the API. */
export const UNITS = {
  modelTokens: {
    name: 'model_tokens',
    meaning:
      'Tokens sent to the language model and answered by it, estimated from the text: answers, retries, summaries and the evaluation after the call.',
  },
  speechCharacters: {
    name: 'speech_characters',
    meaning: 'Characters that the agent speaks, whether they are heard or not.',
  },
  seconds: {
    name: 'seconds',
    meaning: 'Time from the first picture of the avatar to the end of the call.',
  },
} as const;
export type Unit = keyof typeof UNITS;
export type Amounts = Record<Unit, number>;

export const UNIT_KEYS = Object.keys(UNITS) as Unit[];
export const UNIT_NAMES = UNIT_KEYS.map((unit) => UNITS[unit].name);

/** Budgets, with the calls that each covers. Days are UTC. */
export const BUDGETS = {
  call: 'One call of the agent.',
  day: 'All calls of the agent in a day.',
  link_day:
    'Calls that visitors open by the link of the agent in a day: from its room page or embedded, public or private.',
  account_day: 'All calls of the account in a day, by its plan.',
  address_day: 'Calls that visitors open by links from one address in a day, for all agents.',
} as const;
export type Budget = keyof typeof BUDGETS;
export const BUDGET_NAMES = Object.keys(BUDGETS) as Budget[];
