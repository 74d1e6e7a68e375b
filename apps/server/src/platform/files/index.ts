export { inStep } from './in-step.ts';
export { formatOf, readTable, type UploadedFile } from './read-table.ts';
export { FileRefused } from './refusal.ts';
export { localTimes, tableFile } from './table-file.ts';
export { templateFile } from './template-file.ts';
export { type Cell, contentTypes, isDecimal, writeTable } from './write-table.ts';
export { archiveOctets, zipArchive } from './zip-archive.ts';
