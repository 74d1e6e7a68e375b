export * from './bundle.cycles.ts';
