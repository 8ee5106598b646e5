/** Where the sandbox says what went wrong inside it. Never given headers or bodies. */
export type Log = (message: string, details?: Record<string, unknown>) => void;
