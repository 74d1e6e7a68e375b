/** Menus of the header open inside its landmark, where screen readers look for them; those of the drawer anywhere. */
export const inHeader = (trigger: HTMLElement): HTMLElement =>
  trigger.closest<HTMLElement>('header') ?? document.body;
