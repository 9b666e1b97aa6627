/** A read that is repeated: at an interval, and, where it failed, until it works again. */
import { useEffect, useState } from "preact/hooks";
import { Failure } from "./request.ts";

export interface ReadState<T> {
	/** The last answer, which stays while a later read fails. */
	data?: T | undefined;
	/** Why the last read failed, while it does. */
	failure?: string | undefined;
	/** It is not tried again. */
	isFinal?: boolean | undefined;
}

const retryMs = 5_000;

/** Asks again when `key` changes; `everyMs` is the interval while the page is visible (0: once). */
export function useRead<T>(key: string, ask: (signal: AbortSignal) => Promise<T>, everyMs = 0): ReadState<T> {
	const [state, setState] = useState<ReadState<T>>({});
	useEffect(() => {
		const stop = new AbortController();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const again = (ms: number) => {
			timer = setTimeout(run, ms);
		};
		async function run() {
			if (document.hidden) return again(retryMs);
			try {
				const data = await ask(stop.signal);
				if (stop.signal.aborted) return;
				setState({ data });
				if (everyMs > 0) again(everyMs);
			} catch (error) {
				if (stop.signal.aborted) return;
				const failure = error instanceof Error ? error.message : String(error);
				const isFinal = error instanceof Failure && error.isFinal;
				setState(({ data }) => ({ data, failure, isFinal }));
				if (isFinal) return;
				again(Math.max(retryMs, error instanceof Failure ? (error.retryAfter ?? 0) * 1_000 : 0));
			}
		}
		void run();
		return () => {
			stop.abort();
			clearTimeout(timer);
		};
	}, [key]);
	return state;
}

/** What is said while a read fails; unless that is final the page goes on by itself. */
export function Failed({ state: { failure, isFinal } }: { state: ReadState<unknown> }) {
	if (failure === undefined) return null;
	return (
		<p class="failure" role="status">
			{failure}
			{!isFinal && " Trying again."}
		</p>
	);
}
