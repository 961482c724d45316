import upgrade from '../../../deploy/UPGRADE.md?raw';
import { PlainPage } from './plain-page.tsx';

export const UpgradePage = () => <PlainPage text={upgrade} />;
