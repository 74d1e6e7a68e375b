export * from './data.ts';
export * from './detail-schemas.ts';
export * from './events.ts';
export { type SimRefusal, simRefusals, tagChangesSchema } from './operations.ts';
export {
  type SavedView,
  type SavedViewAction,
  savedViewActions,
  savedViewSchema,
} from './saved-views.ts';
export * from './schemas.ts';
export * from './selection.ts';
