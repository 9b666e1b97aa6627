/** Runs one statement at a time, and retries it while the service is unavailable. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../../lib/api/request.ts";
import { adjustPosition, type Result, run } from "./run.ts";
import type { Statement } from "./statement.ts";

export interface Failed {
	message: string;
	status: number;
	isRepeated: boolean;
}

export interface Runs {
	isRunning: boolean;
	result: Result | undefined;
	failed: Failed | undefined;
	start(statement: Statement, key: string | undefined): void;
	stop(): void;
}

const retryMs = 3_000;

export function useRun(): Runs {
	const [isRunning, setRunning] = useState(false);
	const [result, setResult] = useState<Result>();
	const [failed, setFailed] = useState<Failed>();
	const running = useRef<AbortController>(null);
	useEffect(() => () => running.current?.abort(), []);

	async function go(statement: Statement, key: string | undefined, { signal }: AbortController) {
		for (;;) {
			try {
				const done = await run(statement, key, signal);
				if (signal.aborted) return;
				setResult(done);
				setFailed(undefined);
				return setRunning(false);
			} catch (error) {
				if (signal.aborted) return;
				const isRepeated = error instanceof Failure && error.status >= 502;
				const message = adjustPosition(error instanceof Error ? error.message : String(error), statement.sql);
				setFailed({ message, status: error instanceof Failure ? error.status : 0, isRepeated });
				if (!isRepeated) return setRunning(false);
				await pause(Math.max(retryMs, (error.retryAfter ?? 0) * 1_000), signal);
				if (signal.aborted) return;
			}
		}
	}

	return {
		isRunning,
		result,
		failed,
		start(statement, key) {
			running.current?.abort();
			const own = new AbortController();
			running.current = own;
			setRunning(true);
			setFailed(undefined);
			void go(statement, key, own);
		},
		stop() {
			running.current?.abort();
			setRunning(false);
			setFailed(undefined);
		},
	};
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		setTimeout(resolve, ms);
		signal.addEventListener("abort", () => resolve());
	});
