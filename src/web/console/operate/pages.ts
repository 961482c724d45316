/* The pages of operators, which are loaded when one of them is opened. */
export { AccountsPage } from './accounts-page.tsx';
export { AuditPage } from './audit-page.tsx';
export { FleetPage } from './fleet-page.tsx';
export { HealthPage } from './health-page.tsx';
