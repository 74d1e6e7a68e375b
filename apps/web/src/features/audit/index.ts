export { ExportAuditButton } from './components/export-button.tsx';
export { AuditPanel } from './screens/audit.panel.tsx';
export type { AuditSearch, OnAuditSearch } from './search.ts';
