export { allDrafts, useDraft } from './drafts.ts';
export { LeaveGuard } from './leave-guard.tsx';
export { OverlayContext, useOverlay } from './overlay.tsx';
export { useLeave, useLeaveAll } from './use-leave.ts';
