import { useState } from "preact/hooks";
import type { OperationName, Reply } from "#libs/contract/index.ts";
import { readAs } from "../../lib/api.ts";
import { type ReadState, useRead } from "../../lib/use-read.ts";

export interface List<N extends OperationName> {
	state: ReadState<Reply<N>>;
	/** Reads it anew. */
	again(): void;
}

const everyMs = 10_000;

/** What an account has of something. More than a page of it is read by programs. */
export function useList<N extends OperationName>(operation: N, path: string, apiKey: string): List<N> {
	const [times, setTimes] = useState(0);
	const ask = (signal: AbortSignal) => readAs(operation, path, apiKey, signal);
	return { state: useRead(`${path} ${times}`, ask, everyMs), again: () => setTimes((before) => before + 1) };
}
