import type { SandboxDatabase } from './database.js';

/** What `POST /settings` changes. */
export interface Settings {
  /** A provider without keys: every request is executed. */
  ignoreKeys: boolean;
  /** Requests per second that are let through; 0 means no limit. */
  rateLimit: number;
  /** How long a new or changed object stays invisible to search, in ms. */
  searchLagMs: number;
  /** Stripe *may* prune keys after 24 h: true is the mode in which it never does. */
  neverPrune: boolean;
}

const defaultSettings: Settings = {
  ignoreKeys: false,
  rateLimit: 0,
  searchLagMs: 60_000, // "normally visible in less than a minute"
  neverPrune: false,
};

const defaults = new Map<string, unknown>(Object.entries(defaultSettings));

export interface SettingsStore {
  current(): Settings;
  /** Those that are not as a new sandbox has them. */
  changed(): Partial<Settings>;
  update(changes: Partial<Settings>): Settings;
  reset(): void;
}

/** Settings are kept in the database: they outlive a sandbox that is killed and started again. */
export function createSettings(database: SandboxDatabase): SettingsStore {
  database.exec('CREATE TABLE IF NOT EXISTS settings (json TEXT NOT NULL)');
  const stored = database.prepare('SELECT json FROM settings').get() as { json: string } | undefined;
  if (!stored) database.prepare('INSERT INTO settings (json) VALUES (?)').run(JSON.stringify(defaultSettings));
  let settings = stored ? (JSON.parse(stored.json) as Settings) : defaultSettings;
  const save = (value: Settings): Settings => {
    database.prepare('UPDATE settings SET json = ?').run(JSON.stringify(value));
    return (settings = value);
  };
  return {
    current: () => settings,
    changed: () => Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== defaults.get(name))),
    update: (changes) => save({ ...settings, ...changes }),
    reset: () => void save(defaultSettings),
  };
}
