export { allDrafts, DraftsContext, useDraft } from './drafts.ts';
export { LeaveGuard } from './leave-guard.tsx';
export { useDrafts, useLeave, useLeaveAll } from './use-leave.ts';
