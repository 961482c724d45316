import security from '../../../SECURITY.md?raw';
import { PlainPage } from './plain-page.tsx';

export const SecurityPage = () => <PlainPage text={security} />;
