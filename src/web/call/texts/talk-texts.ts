export const talkText = (name: string): string => `Talk or type, and ${name} answers face to face.`;

/** For agents that only read. */
export const deafText = (name: string): string =>
  `${name} cannot hear you, but reads what you type.`;

export const deafNote = (name: string): string => `${deafText(name)} No microphone is needed.`;
