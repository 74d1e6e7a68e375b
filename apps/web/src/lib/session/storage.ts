/** Browser storage may be missing, full or forbidden (private windows, policies); the fallback is this tab's memory. */
export interface KeyValueStore {
  getItem: (name: string) => string | null;
  setItem: (name: string, value: string) => void;
  removeItem: (name: string) => void;
}

const inMemory = (): KeyValueStore => {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => {
      values.set(name, value);
    },
    removeItem: (name) => {
      values.delete(name);
    },
  };
};

const probe = 'simcube.probe';

/** `localStorage` is shared by all tabs of the browser; `sessionStorage` belongs to one tab. */
export const openStorage = (name: 'localStorage' | 'sessionStorage'): KeyValueStore => {
  try {
    const storage = window[name];
    storage.setItem(probe, probe);
    storage.removeItem(probe);
    return storage;
  } catch {
    return inMemory();
  }
};

/** Removes everything that parts of the console keep in this tab under names of their own. */
export const dropKept = (): void => {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith('simcube.'));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
};
