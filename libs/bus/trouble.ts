/** A failure that repeats, said so that it is seen and does not flood: when it begins, about once a minute, and when it is over. */
import type { Log } from "./connect.ts";

export interface Trouble {
	/** It happened, once more or for the first time. What more there is to say of it is asked for when it is said. */
	met(err: unknown, more?: () => object): void;
	/** It did not happen this time. To be called only where that means that it is over: one of many who may meet it needs `calmMs`. */
	over(): void;
}

export interface TroubleOptions {
	log: Pick<Log, "info" | "warn" | "error">;
	level?: "warn" | "error";
	/** What is said when it happens. */
	message: string;
	/** What is said when it does no more. */
	isOver?: string;
	fields?: object;
	/** How often it is said while it lasts (ms, a minute when absent). */
	everyMs?: number;
	/** It is over when it did not happen for so long (ms, 0 when absent): where some meet it and others do not. */
	calmMs?: number;
	/** Monotonic clock (ms). */
	now?: () => number;
}

export function troubleOf(options: TroubleOptions): Trouble {
	const {
		log,
		level = "warn",
		message,
		isOver,
		fields = {},
		everyMs = 60_000,
		calmMs = 0,
		now = () => performance.now(),
	} = options;
	let since: number | undefined;
	let saidAt = 0;
	let metAt = 0;
	let times = 0;
	return {
		met(err, more = () => ({})) {
			times++;
			metAt = now();
			if (since !== undefined && now() - saidAt < everyMs) return;
			since ??= now();
			saidAt = now();
			log[level]({ ...(err !== undefined && { err }), ...fields, ...more(), ...(times > 1 && { times }) }, message);
		},
		over() {
			if (since === undefined || now() - metAt < calmMs) return;
			const seconds = Math.round((now() - since) / 1_000);
			if (isOver !== undefined) log.info({ ...fields, times, seconds }, isOver);
			since = undefined;
			times = 0;
		},
	};
}
