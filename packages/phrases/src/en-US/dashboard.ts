/** The dashboard's Analysis screen. */
export const dashboard = { title: 'Analysis' };
