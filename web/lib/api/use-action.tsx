import { useState } from "preact/hooks";

export interface Action {
	isBusy: boolean;
	failure: string | undefined;
	/** Runs the action and returns its result; undefined if it failed. */
	run<T>(act: () => Promise<T>): Promise<T | undefined>;
}

export function useAction(): Action {
	const [isBusy, setBusy] = useState(false);
	const [failure, setFailure] = useState<string>();
	return {
		isBusy,
		failure,
		async run(act) {
			setBusy(true);
			setFailure(undefined);
			try {
				return await act();
			} catch (error) {
				setFailure(error instanceof Error ? error.message : String(error));
				return undefined;
			} finally {
				setBusy(false);
			}
		},
	};
}

export const Problem = ({ action: { failure } }: { action: Action }) =>
	failure === undefined ? null : (
		<p class="failure" role="alert">
			{failure}
		</p>
	);
