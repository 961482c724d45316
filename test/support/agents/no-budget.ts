/** Limits nothing. */
export const noBudget = {
  textsPerTenMinutes: null,
  textsLeft: Infinity,
  isUsedUp: false,
  add: () => {},
};
