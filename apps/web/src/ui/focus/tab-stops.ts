const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Of a group of radio buttons Tab reaches the chosen one alone. */
const isPassedOver = (element: HTMLElement): boolean => {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return false;
  const group = element.closest('[role="radiogroup"]');
  return group?.querySelector('input[type="radio"]:checked') != null;
};

/** What the Tab key reaches inside, in the order of the document. */
export const tabStopsIn = (container: HTMLElement): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>(reachable)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      element.closest('[hidden], [inert]') === null &&
      !isPassedOver(element),
  );

/** What had the focus is gone: a key would have no effect, and a screen reader would start over. */
export const isNowhere = (focused: Element | null): boolean => focused === null || focused === document.body;
