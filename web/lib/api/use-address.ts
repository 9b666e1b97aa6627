import { useEffect, useState } from "preact/hooks";

interface AddressOptions<T> {
	read(search: string): T;
	/** The query of the address, with its question mark. */
	write(state: T): string;
	/** Parts of the state whose changes add no step to the browser's history, and that Back does not undo. */
	loose?: readonly (keyof T)[];
}

/** State that is stored in the page's address. Each change is a step in the browser's history. */
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
