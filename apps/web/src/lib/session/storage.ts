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

export const openStorage = (): KeyValueStore => {
  try {
    window.localStorage.setItem(probe, probe);
    window.localStorage.removeItem(probe);
    return window.localStorage;
  } catch {
    return inMemory();
  }
};
