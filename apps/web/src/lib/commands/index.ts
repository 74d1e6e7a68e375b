export { type Command, type CommandGroup, useCommands, useOfferedCommands } from './commands.ts';
