import { useEffect, useState } from "preact/hooks";

interface AddressOptions<T> {
	read(search: string): T;
	/** The query of the address, with its question mark. */
	write(state: T): string;
	/** Changes of these are no step of the browser's history, and Back does not undo them. */
	loose?: readonly (keyof T)[];
}

/** State that the address of the page contains. Each change is a step of the browser's history. */
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
