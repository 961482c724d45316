import { Plugin } from '@livekit/agents';
import { VERSION } from './version.ts';

export * from './avatar.ts';

class TroupePlugin extends Plugin {
  constructor() {
    super({ title: 'troupe', version: VERSION, package: '@troupe/livekit-plugin' });
  }
}

Plugin.registerPlugin(new TroupePlugin());
