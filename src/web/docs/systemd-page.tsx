import systemd from '../../../deploy/systemd/README.md?raw';
import { PlainPage } from './plain-page.tsx';

export const SystemdPage = () => <PlainPage text={systemd} />;
