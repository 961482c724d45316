import { TroupeAgent } from './troupe-agent.ts';

// A page may load the script twice.
if (!customElements.get('troupe-agent')) customElements.define('troupe-agent', TroupeAgent);
