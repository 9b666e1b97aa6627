import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
	part?: T;
	failed: boolean;
}

/** A part of the page that is loaded when it is first needed. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
	const [loaded, setLoaded] = useState<Loaded<T>>({ failed: false });
	useEffect(() => {
		let isWanted = true;
		load().then(
			(part) => isWanted && setLoaded({ part, failed: false }),
			() => isWanted && setLoaded({ failed: true }),
		);
		return () => {
			isWanted = false;
		};
	}, []);
	return loaded;
}
