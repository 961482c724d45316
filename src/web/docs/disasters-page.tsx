import disasters from '../../../deploy/DISASTERS.md?raw';
import { PlainPage } from './plain-page.tsx';

export const DisastersPage = () => <PlainPage text={disasters} />;
