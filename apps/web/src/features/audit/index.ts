export { ExportAuditButton } from './components/export-button.tsx';
export { AuditPanel } from './screens/audit.panel.tsx';
