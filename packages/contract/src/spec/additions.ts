/** What this product has beyond the specification, each with its reason. Nothing else may be registered. */
export const addedCalls: Readonly<Record<string, string>> = {};

/** Routes of the console beyond the specification, behind the language segment. */
export const addedScreens: Readonly<Record<string, string>> = {
  'simCard/$iccid':
    'The SIM detail that section 2 names among the screens, with an address that can be shared',
};
