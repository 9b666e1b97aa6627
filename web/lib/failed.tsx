import type { ReadState } from "./use-read.ts";

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
