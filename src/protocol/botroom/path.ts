const BOTROOMS_PATH = '/v1/botrooms';

/** Where client and worker connect. A worker appends `?epoch=N`. */
export const botroomPath = (id: string): string => `${BOTROOMS_PATH}/${id}`;

/** The room's id, or null for another path. */
export function botroomOf(path: string): string | null {
  return /^\/v1\/botrooms\/([\w-]{1,64})$/.exec(path)?.[1] ?? null;
}
