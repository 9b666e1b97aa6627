import { useEffect, useState } from "preact/hooks";

interface AddressOptions<T> {
	read(search: string): T;
	/** Returns the URL's query for a state, with its question mark. */
	write(state: T): string;
	/** Fields of the state whose changes are not added to the browser's history, so that Back does not undo them. */
	loose?: readonly (keyof T)[];
}

/** State that is stored in the page's URL. Each change adds an entry to the browser's history. */
export function useAddress<T extends object>({ read, write, loose = [] }: AddressOptions<T>) {
	const [state, setState] = useState(() => read(location.search));
	const looseParts = (from: Partial<T>) => Object.fromEntries(loose.map((name) => [name, from[name]]));
	const stepOf = (from: T) => write({ ...from, ...looseParts({}) });
	useEffect(() => {
		const before = read(location.search);
		if (write(state) === write(before)) return;
		const isStep = stepOf(state) !== stepOf(before);
		history[isStep ? "pushState" : "replaceState"](null, "", `${location.pathname}${write(state)}${location.hash}`);
	}, [state]);
	useEffect(() => {
		const restore = () => setState((before) => ({ ...read(location.search), ...looseParts(before) }));
		addEventListener("popstate", restore);
		return () => removeEventListener("popstate", restore);
	}, []);
	return [state, setState] as const;
}
