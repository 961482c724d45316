/* The plans and their limits. Code compares limits and never checks for a plan by name. */

export type Feature = 'mediaserver_rooms' | 'external_apis';

export type Plan = {
  /** Null: limited only by free slots. */
  concurrentSessions: number | null;
  /** Per calendar month (UTC); null: unlimited. */
  minutesPerMonth: number | null;
  /** Whether sessions may exceed the minutes, at extra cost. */
  hasOverage: boolean;
  /** Custom avatars; null: unlimited. */
  ownAvatars: number | null;
  /** Like the other counts, null: unlimited. */
  agents: number | null;
  externalApis: number | null;
  knowledgeFiles: number | null;
  /** MiB of knowledge files and custom avatars together; null: unlimited. */
  storedMiB: number | null;
  /** Limits of all calls with agents in a day (UTC). Null: unlimited. */
  modelTokensPerDay: number | null;
  speechCharactersPerDay: number | null;
  features: readonly Feature[];
};

export const PLANS = {
  free: {
    concurrentSessions: 1,
    minutesPerMonth: 30,
    hasOverage: false,
    ownAvatars: 1,
    agents: 10,
    externalApis: 20,
    knowledgeFiles: 10,
    storedMiB: 100,
    modelTokensPerDay: 1_000_000,
    speechCharactersPerDay: 200_000,
    features: [],
  },
  creator: {
    concurrentSessions: 3,
    minutesPerMonth: 300,
    hasOverage: false,
    ownAvatars: 5,
    agents: 50,
    externalApis: 20,
    knowledgeFiles: 100,
    storedMiB: 1_024,
    modelTokensPerDay: 10_000_000,
    speechCharactersPerDay: 2_000_000,
    features: ['external_apis'],
  },
  growth: {
    concurrentSessions: 10,
    minutesPerMonth: 2_000,
    hasOverage: true,
    ownAvatars: 25,
    agents: 500,
    externalApis: 200,
    knowledgeFiles: 1_000,
    storedMiB: 10_240,
    modelTokensPerDay: 100_000_000,
    speechCharactersPerDay: 20_000_000,
    features: ['external_apis', 'mediaserver_rooms'],
  },
  scale: {
    concurrentSessions: 50,
    minutesPerMonth: 10_000,
    hasOverage: true,
    ownAvatars: 100,
    agents: 5_000,
    externalApis: 2_000,
    knowledgeFiles: 10_000,
    storedMiB: 102_400,
    modelTokensPerDay: 1_000_000_000,
    speechCharactersPerDay: 200_000_000,
    features: ['external_apis', 'mediaserver_rooms'],
  },
  unlimited: {
    concurrentSessions: null,
    minutesPerMonth: null,
    hasOverage: true,
    ownAvatars: null,
    agents: null,
    externalApis: null,
    knowledgeFiles: null,
    storedMiB: null,
    modelTokensPerDay: null,
    speechCharactersPerDay: null,
    features: ['external_apis', 'mediaserver_rooms'],
  },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;

export const isPlanName = (name: string): name is PlanName => Object.hasOwn(PLANS, name);
