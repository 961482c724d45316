import runbook from '../../../deploy/prometheus/RUNBOOK.md?raw';
import { PlainPage } from './plain-page.tsx';

export const AlertsPage = () => <PlainPage text={runbook} />;
