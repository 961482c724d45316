import type { Resource } from '../resource/resource.ts';
import { recordingRoutes } from './recording-routes.ts';
import { VoiceBody, VoiceList, voiceRoutes } from './voice-routes.ts';

export const voices: Resource = { schemas: [VoiceBody, VoiceList], routes: [voiceRoutes] };

export const voiceRecordings: Resource = { routes: [recordingRoutes], worksOnFullDisk: true };
