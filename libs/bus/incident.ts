/** A failure that repeats, logged so that it is seen and does not flood: when it begins, about once a minute, and when it is over. */
import type { Log } from "./connect.ts";

export interface Incident {
	/** It happened, once more or for the first time. `more` is called only when a line is logged. */
	open(err: unknown, more?: () => object): void;
	/** It did not happen this time. To be called only where that means that it is over: one of many callers that may open it needs `calmMs`. */
	close(): void;
}

export interface IncidentOptions {
	log: Pick<Log, "info" | "warn" | "error">;
	level?: "info" | "warn" | "error";
	message: string;
	/** Logged when it happens no more. */
	closed?: string;
	fields?: object;
	/** How often it is logged while it lasts (ms, a minute when absent). */
	everyMs?: number;
	/** It is over when it did not happen for so long (ms, 0 when absent): where some callers open it and others do not. */
	calmMs?: number;
	/** Monotonic clock (ms). */
	now?: () => number;
}

export function incidentOf(options: IncidentOptions): Incident {
	const {
		log,
		level = "warn",
		message,
		closed,
		fields = {},
		everyMs = 60_000,
		calmMs = 0,
		now = () => performance.now(),
	} = options;
	let since: number | undefined;
	let loggedAt = 0;
	let openedAt = 0;
	let times = 0;
	return {
		open(err, more = () => ({})) {
			times++;
			openedAt = now();
			if (since !== undefined && now() - loggedAt < everyMs) return;
			since ??= now();
			loggedAt = now();
			log[level]({ ...(err !== undefined && { err }), ...fields, ...more(), ...(times > 1 && { times }) }, message);
		},
		close() {
			if (since === undefined || now() - openedAt < calmMs) return;
			const seconds = Math.round((now() - since) / 1_000);
			if (closed !== undefined) log.info({ ...fields, times, seconds }, closed);
			since = undefined;
			times = 0;
		},
	};
}
