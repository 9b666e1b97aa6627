/** Sets an entry of a map with at most `most` entries, and evicts the least recently set ones. */
export function keepRecent<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.delete(key);
	map.set(key, value);
	// An iterator passes over all entries that were deleted since the map was last rehashed.
	if (map.size <= most) return;
	for (const oldest of map.keys()) {
		map.delete(oldest);
		if (map.size <= most) return;
	}
}
