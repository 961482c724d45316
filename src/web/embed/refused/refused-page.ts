/* Shown in frames of pages that the agent's owner does not allow. */
import '../../look/base.css';
import './refused-page.css';
import { notAllowedText } from '../not-allowed-text.ts';

const [agentId = ''] = location.pathname.split('/').filter(Boolean).slice(-1);
console.error(notAllowedText(agentId, new URL(document.referrer).origin));
