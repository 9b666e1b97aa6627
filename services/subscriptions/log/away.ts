/** Whether queue-ingest is away as it is while it is replaced: that is no incident, and the next look comes within seconds. */
import { AppError } from "#libs/contract/errors.ts";

/** Longer away is an incident (ms). */
const longestMs = 60_000;

export class Away {
	#since: number | undefined;
	readonly #now: () => number;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Of a failure: whether it is only that. */
	isBrief(error: unknown): boolean {
		if (!(error instanceof AppError) || error.status !== 503) return false;
		this.#since ??= this.#now();
		return this.#now() - this.#since < longestMs;
	}

	isBack(): void {
		this.#since = undefined;
	}
}
