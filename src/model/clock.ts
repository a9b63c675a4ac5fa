/** The one source of time. Returns the present instant; tests and `--now` pass their own. */
export type Clock = () => Date
