/** Keeps the event with the highest version of each thing, because one statement may write a row only once. */
export function newestOfEach<E extends { version: number }>(events: readonly E[], key: (event: E) => unknown): E[] {
	const newest = new Map<unknown, E>();
	for (const event of events) {
		const known = newest.get(key(event));
		if (known === undefined || event.version > known.version) newest.set(key(event), event);
	}
	return [...newest.values()];
}
