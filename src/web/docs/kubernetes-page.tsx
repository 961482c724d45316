import guide from '../../../deploy/helm/README.md?raw';
import { PlainPage } from './plain-page.tsx';

export const KubernetesPage = () => <PlainPage text={guide} />;
