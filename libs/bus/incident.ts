/** Logs a repeated failure without flooding the log: when it begins, about once a minute while it lasts, and when it ends. */
import type { Log } from "./connect.ts";

export interface Incident {
	/** Reports a failure. `details` is called only when a line is logged. */
	open(err: unknown, details?: () => object): void;
	/** Reports a success, which ends the incident. If some callers fail while others succeed, set `calmMs`. */
	close(): void;
}

export interface IncidentOptions {
	log: Pick<Log, "info" | "warn" | "error">;
	level?: "info" | "warn" | "error";
	message: string;
	/** Message logged when the incident ends. */
	closed?: string;
	fields?: object;
	/** The incident ends only after this long without a failure (ms, 0 when absent). */
	calmMs?: number;
	/** Monotonic clock (ms). */
	now?: () => number;
}

/** How often an incident is logged while it lasts (ms). */
const logEveryMs = 60_000;

export function incidentOf(options: IncidentOptions): Incident {
	const { log, level = "warn", message, closed, fields = {}, calmMs = 0, now = () => performance.now() } = options;
	let since: number | undefined;
	let loggedAt = 0;
	let failedAt = 0;
	let times = 0;
	return {
		open(err, details = () => ({})) {
			times++;
			failedAt = now();
			if (since !== undefined && now() - loggedAt < logEveryMs) return;
			since ??= now();
			loggedAt = now();
			log[level]({ ...(err !== undefined && { err }), ...fields, ...details(), ...(times > 1 && { times }) }, message);
		},
		close() {
			if (since === undefined || now() - failedAt < calmMs) return;
			const seconds = Math.round((now() - since) / 1_000);
			if (closed !== undefined) log.info({ ...fields, times, seconds }, closed);
			since = undefined;
			times = 0;
		},
	};
}
