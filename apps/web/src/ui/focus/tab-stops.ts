const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Of a group of radio buttons, Tab reaches only the checked one. */
const isSkippedByTab = (element: HTMLElement): boolean => {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return false;
  const group = element.closest('[role="radiogroup"]');
  return group?.querySelector('input[type="radio"]:checked') != null;
};

/** The elements inside that Tab reaches, in document order. */
export const tabStopsIn = (container: HTMLElement): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>(reachable)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      element.closest('[hidden], [inert]') === null &&
      !isSkippedByTab(element),
  );

/** The focused element is gone: keys would have no effect, and a screen reader would start over. */
export const isFocusLost = (focused: Element | null): boolean =>
  focused === null || focused === document.body;
