import type { Action } from "./use-action.ts";

/** Why what a button was to do was not done. */
export const Problem = ({ action: { failure } }: { action: Action }) =>
	failure === undefined ? null : (
		<p class="failure" role="alert">
			{failure}
		</p>
	);
