/** Of several events about one thing the one with the highest version: one statement writes a row once. */
export function newestOfEach<E extends { version: number }>(events: readonly E[], key: (event: E) => unknown): E[] {
	const newest = new Map<unknown, E>();
	for (const event of events) {
		const known = newest.get(key(event));
		if (known === undefined || event.version > known.version) newest.set(key(event), event);
	}
	return [...newest.values()];
}
