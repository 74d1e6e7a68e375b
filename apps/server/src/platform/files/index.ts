export { inParts } from './in-parts.ts';
export { readInLockstep } from './lockstep.ts';
export { formatOf, readTable, type UploadedFile } from './read-table.ts';
export { FileRefused } from './refusal.ts';
export { storedParts } from './stored-file.ts';
export { localTimeFormatter, tableFile } from './table-file.ts';
export { templateFile } from './template-file.ts';
export { type Cell, contentTypes, isDecimal, writeTable } from './write-table.ts';
export { maxArchiveBytes, zipArchive } from './zip-archive.ts';
