/** The points at which a crash leaves different traces; see `once`. */
export const breakPoints = ['before-claim', 'after-claim', 'after-answer', 'after-settle'] as const;

/** Called at each point; a test knob lets it end the process or throw (`BREAK_AT`). */
export type BreakAt = (point: (typeof breakPoints)[number], stepIndex: number) => void;
