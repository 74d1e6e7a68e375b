export { ExportForm, ExportLine, ExportPopover } from './export-form.tsx';
