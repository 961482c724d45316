/* What accounts may do. A plan is data: limits are compared, never asked for by name. */

export type Feature = 'mediaserver_rooms' | 'external_apis';

export type Plan = {
  /** Sessions at once; null: as many as there are slots. */
  concurrentSessions: number | null;
  /** Minutes in a calendar month (UTC); null: no limit. */
  minutesPerMonth: number | null;
  /** Whether sessions go on beyond the minutes, to be paid for. */
  hasOverage: boolean;
  /** Avatars of the account's own, made of photos; null: any number. */
  ownAvatars: number | null;
  features: readonly Feature[];
};

export const PLANS = {
  free: {
    concurrentSessions: 1,
    minutesPerMonth: 30,
    hasOverage: false,
    ownAvatars: 1,
    features: [],
  },
  creator: {
    concurrentSessions: 3,
    minutesPerMonth: 300,
    hasOverage: false,
    ownAvatars: 5,
    features: ['external_apis'],
  },
  growth: {
    concurrentSessions: 10,
    minutesPerMonth: 2_000,
    hasOverage: true,
    ownAvatars: 25,
    features: ['external_apis', 'mediaserver_rooms'],
  },
  scale: {
    concurrentSessions: 50,
    minutesPerMonth: 10_000,
    hasOverage: true,
    ownAvatars: 100,
    features: ['external_apis', 'mediaserver_rooms'],
  },
  unlimited: {
    concurrentSessions: null,
    minutesPerMonth: null,
    hasOverage: true,
    ownAvatars: null,
    features: ['external_apis', 'mediaserver_rooms'],
  },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;

export const isPlanName = (name: string): name is PlanName => Object.hasOwn(PLANS, name);
