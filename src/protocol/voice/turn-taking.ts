/** How an agent takes turns with its user. */
export const TURN_LEVELS = ['low', 'medium', 'high'] as const;
type TurnLevel = (typeof TURN_LEVELS)[number];

export type TurnTaking = {
  /** How long it waits when the user pauses. */
  patience: TurnLevel;
  /** How easily speech of the user interrupts it. */
  interruptibility: TurnLevel;
};

export const DEFAULT_TURN_TAKING: TurnTaking = { patience: 'medium', interruptibility: 'medium' };
