export type JoinRequest = { userName: string; microphone: boolean; camera: boolean };
